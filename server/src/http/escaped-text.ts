/** Text for inside HTML or XML, in an attribute as well. */
export function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
