/** What the tests of a file opened; ended after its last test by `setup.ts`, in the opposite order. */
export const leftovers: AsyncDisposable[] = [];
