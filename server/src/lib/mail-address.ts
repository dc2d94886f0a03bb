import { domainToASCII } from "node:url";
import { mailAddressLengthMax } from "@fava/wire/limits.ts";
import { mailAddressShape } from "@fava/wire/mails.ts";

const localPartLengthMax = 64;

/** The address with its domain in ASCII (punycode); null for anything but one address without a name. */
export function mailAddress(text: string): string | null {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), domainToASCII(text.slice(at + 1))];
  if (at < 1 || local.length > localPartLengthMax || domain === "") return null;
  const address = `${local}@${domain}`;
  return address.length <= mailAddressLengthMax && mailAddressShape.test(address) ? address : null;
}
