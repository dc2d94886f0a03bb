/** Whether a page can set the volume of a video. iOS plays at the volume of its keys and ignores the page's. */
export function canSetVolume(): boolean {
  const probe = document.createElement("video");
  probe.volume = 0.5;
  return probe.volume === 0.5;
}
