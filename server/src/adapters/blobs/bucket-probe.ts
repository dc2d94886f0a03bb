import { randomBytes } from "node:crypto";
import { S3ServiceException } from "@aws-sdk/client-s3";
import { S3Blobs, type S3Settings } from "./s3-blobs.ts";

export type BucketStep = "put" | "get" | "list" | "delete";

/** Why a bucket does not work; `refused`: its policy denies this step only. */
export type BucketTrouble =
  | { readonly kind: "key" | "secret" | "bucket" | "region" | "silent" }
  | { readonly kind: "refused"; readonly step: BucketStep }
  | { readonly kind: "other"; readonly step: BucketStep; readonly why: string };

const objectBytes = 32;

export async function probeBucket(settings: S3Settings): Promise<BucketTrouble | null> {
  using blobs = new S3Blobs(settings);
  let step: BucketStep = "put";
  try {
    const bytes = randomBytes(objectBytes);
    const key = await blobs.put(bytes, "sealed");
    step = "get";
    if (!(await blobs.get(key))?.equals(bytes)) return { kind: "other", step, why: "it gave other bytes back" };
    step = "list";
    const isListed = await blobs.isListed(key);
    step = "delete";
    await blobs.delete(key);
    return isListed ? null : { kind: "other", step: "list", why: "it does not list what it holds" };
  } catch (error) {
    return troubleOf(error, step);
  }
}

const kinds: Readonly<Record<string, "key" | "secret" | "bucket" | "region">> = {
  InvalidAccessKeyId: "key",
  // Of versitygw.
  XAdminUserNotFound: "key",
  SignatureDoesNotMatch: "secret",
  NoSuchBucket: "bucket",
  AuthorizationHeaderMalformed: "region",
  PermanentRedirect: "region",
};

function troubleOf(error: unknown, step: BucketStep): BucketTrouble {
  const name = error instanceof Error ? error.name : "";
  const kind = kinds[name];
  if (kind) return { kind };
  if (name === "AccessDenied") return { kind: "refused", step };
  if (name === "AbortError" || !(error instanceof S3ServiceException)) return { kind: "silent" };
  return { kind: "other", step, why: `${name} ${error.message}` };
}
