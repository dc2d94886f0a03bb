/** The text fields of a form that `lib/api/request.ts` wrote, without files. */
export function fieldsOf(body: Uint8Array): Record<string, string> {
  const form = new TextDecoder().decode(body);
  const fields = form.matchAll(/name="([^"]+)"\r\n\r\n([\s\S]*?)\r\n--/g);
  return Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, value]));
}
