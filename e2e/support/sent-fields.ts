import type { Request } from "@playwright/test";

/** The fields of the form that a call of the product sent. */
export function sentFields(request: Request): Record<string, string> {
  const body = request.postDataBuffer()?.toString("utf8") ?? "";
  const parts = body.matchAll(/name="(\w+)"\r\n\r\n(.*?)\r\n--/gs);
  return Object.fromEntries([...parts].map(([, name = "", value = ""]) => [name, value]));
}
