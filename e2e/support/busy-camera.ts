/**
 * Replaces the camera by a video of 640 x 480 that compresses badly, so that it fills the network. Runs before the
 * page's own scripts.
 */
export function busyCamera(): void {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    if (!wanted?.video) return stream;
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d");
    const [video] = canvas.captureStream(15).getVideoTracks();
    if (!context || !video) return stream;
    const draw = () => {
      for (let at = 0; at < 1_200; at += 1) {
        context.fillStyle = `hsl(${Math.random() * 360} 40% ${30 + Math.random() * 40}%)`;
        context.fillRect((at % 40) * 16, Math.floor(at / 40) * 16, 16, 16);
      }
    };
    draw();
    const timer = setInterval(() => (video.readyState === "live" ? draw() : clearInterval(timer)), 66);
    for (const track of stream.getVideoTracks()) {
      track.stop();
      stream.removeTrack(track);
    }
    stream.addTrack(video);
    return stream;
  };
}
