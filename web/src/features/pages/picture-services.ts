/**
 * Services that find and block intimate images on other sites: for adults, and for people who were under 18 in the
 * image.
 */
export const pictureServices = [
  ["StopNCII.org", "https://stopncii.org/"],
  ["Take It Down", "https://takeitdown.ncmec.org/"],
] as const;
