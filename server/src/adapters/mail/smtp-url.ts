import ipaddr from "ipaddr.js";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
  /** In the own network: mails may go there without TLS. */
  readonly isLocal: boolean;
}

const tlsPort = 465;
const submissionPort = 587;

/** Reads `smtps://user:password@host:465` or `smtp://user:password@host:587`; null for anything else. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || url.search !== "" || url.hash !== "")
    return null;
  if (url.pathname !== "" && url.pathname !== "/") return null;
  const isTls = url.protocol === "smtps:";
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null || (user === "") !== (pass === "")) return null;
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  const port = url.port === "" ? (isTls ? tlsPort : submissionPort) : Number(url.port);
  return { host, port, isTls, login: user === "" ? null : { user, pass }, isLocal: isLocalHost(host) };
}

/** A name without a dot is one of the own network, as in Compose. */
function isLocalHost(host: string): boolean {
  return ipaddr.isValid(host) ? ipaddr.process(host).range() !== "unicast" : !host.includes(".");
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // A single percent sign.
    return null;
  }
}
