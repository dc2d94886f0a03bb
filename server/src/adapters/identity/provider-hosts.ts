import type { ContentHosts } from "#ports/identity.ts";

export const providerHosts = {
  google: {
    script: ["https://accounts.google.com/gsi/client"],
    style: ["https://accounts.google.com/gsi/style"],
    frame: ["https://accounts.google.com/gsi/"],
    connect: ["https://accounts.google.com/gsi/"],
  },
  facebook: {
    script: ["https://connect.facebook.net"],
    frame: ["https://www.facebook.com", "https://web.facebook.com"],
    connect: ["https://www.facebook.com", "https://graph.facebook.com"],
  },
  apple: {
    script: ["https://appleid.cdn-apple.com"],
    frame: ["https://appleid.apple.com"],
    connect: ["https://appleid.apple.com"],
  },
} as const satisfies Record<string, ContentHosts>;
