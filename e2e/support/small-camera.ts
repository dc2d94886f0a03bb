/**
 * Lets the browser's camera give a small picture, whatever the page asks for: two videos are encoded and decoded without
 * help of a graphics card. Runs before the page's own scripts.
 */
export function smallCamera(): void {
  const { mediaDevices } = navigator;
  // The provider's window, empty at first, has none.
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = (wanted) => {
    const asked = wanted?.video;
    if (!asked) return open(wanted);
    const small = { width: 160, height: 120, frameRate: 10 };
    return open({ ...wanted, video: typeof asked === "object" ? { ...asked, ...small } : small });
  };
}
