/** True for names that no public DNS serves, which only examples, tests and trials use. [RFC 2606, RFC 6761] */
export const isReservedName = (host: string): boolean =>
  /^(127(\.\d{1,3}){3}|\[?::1\]?|(.+\.)?(localhost|test|example|invalid|example\.(com|net|org)))$/i.test(host)
