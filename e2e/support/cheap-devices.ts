/**
 * Makes the browser's devices give a small video and no sound, whatever the page requests, because without a GPU video
 * is encoded, decoded and drawn by the processor, and a tone is made, sent and played a hundred times a second. Plays
 * no silence either, which would cost as much. Runs before the page's own scripts.
 */
export function cheapDevices(): void {
  const { mediaDevices } = navigator;
  // The provider's window, empty at first, has none.
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const small = { width: 160, height: 120, frameRate: 5 };
  mediaDevices.getUserMedia = async ({ audio = false, video = false } = {}) => {
    const smallVideo = video && { ...(typeof video === "object" && video), ...small };
    // Only Chromium makes a track without data.
    if (!video || !("MediaStreamTrackGenerator" in window)) return open({ audio, video: smallVideo });
    const stream = await open({ video: smallVideo });
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
