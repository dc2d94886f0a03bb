import { chatMessageLengthMax, identifierLengthMax } from "@fava/wire/limits.ts";
import { type ClientFrame, clientFrameSchema } from "@fava/wire/socket.ts";
import * as v from "valibot";
import type { RawData } from "ws";
import type { FrameProblem } from "./session-machine.ts";

export type ReadFrame = { readonly frame: ClientFrame } | { readonly problem: FrameProblem };

const badFrame: ReadFrame = { problem: { reason: "bad_frame", clientId: null } };

/**
 * What a socket said, checked field by field; never throws (rule SOCKET-69). A chat line that is only too long is told
 * apart, so that its sender can be shown which line it was.
 */
export function readFrame(data: RawData, isBinary: boolean): ReadFrame {
  if (isBinary || !Buffer.isBuffer(data)) return badFrame;
  let json: unknown;
  try {
    json = JSON.parse(data.toString("utf8"));
  } catch {
    return badFrame;
  }
  const parsed = v.safeParse(clientFrameSchema, json, { abortEarly: true });
  if (parsed.success) return { frame: parsed.output };
  return isOverlongChat(json) ? { problem: { reason: "too_long", clientId: json.clientId } } : badFrame;
}

function isOverlongChat(json: unknown): json is { clientId: string } {
  if (typeof json !== "object" || json === null) return false;
  if (!("type" in json && "text" in json && "clientId" in json)) return false;
  const { type, text, clientId } = json;
  const named = typeof clientId === "string" && clientId.length > 0 && clientId.length <= identifierLengthMax;
  return named && type === "chat" && typeof text === "string" && text.length > chatMessageLengthMax;
}
