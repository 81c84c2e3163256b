pdfdetach -saveall copy.pdf
curl -s -O https://sign.example.com/.well-known/paraph-evidence.pem
