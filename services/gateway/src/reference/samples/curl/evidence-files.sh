pdfdetach -saveall copy.pdf
curl -sS --fail -O https://sign.example.com/.well-known/paraph-evidence.pem
