/** @throws Error if the work takes longer than `ms`; the work itself is not stopped. */
export async function inTime<Result>(
  work: Promise<Result>,
  { ms, name }: { ms: number; name: string },
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
