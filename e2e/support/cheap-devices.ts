/**
 * Lets the browser's devices give a small picture and no sound, whatever the page asks for: videos are encoded, decoded
 * and drawn without help of a graphics card, and a tone is made, sent and played a hundred times a second. Nor is silence
 * played, which would be as dear. Runs before the page's own scripts.
 */
export function cheapDevices(): void {
  const { mediaDevices } = navigator;
  // The provider's window, empty at first, has none.
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const small = { width: 160, height: 120, frameRate: 5 };
  mediaDevices.getUserMedia = async ({ audio = false, video = false } = {}) => {
    if (!video) return open({ audio });
    const stream = await open({ video: { ...(typeof video === "object" && video), ...small } });
    // Into which nobody writes.
    if (audio) stream.addTrack(new window.MediaStreamTrackGenerator({ kind: "audio" }));
    return stream;
  };
  const shown = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "srcObject");
  Object.defineProperty(HTMLMediaElement.prototype, "srcObject", {
    ...shown,
    set(stream: MediaStream | null) {
      const isHeard = stream !== null && !(this as HTMLMediaElement).muted;
      shown?.set?.call(this, isHeard ? new MediaStream(stream.getVideoTracks()) : stream);
    },
  });
}
