/** A `mailto:` link that begins a message; line ends of the body as mail programs want them. */
export function mailAddress(email: string, { subject, body = "" }: { subject: string; body?: string }): string {
  const text = body === "" ? "" : `&body=${encodeURIComponent(body.replaceAll(/\r?\n/g, "\r\n"))}`;
  return `mailto:${email}?subject=${encodeURIComponent(subject)}${text}`;
}
