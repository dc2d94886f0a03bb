/** How to go to a path of the app from outside React; the router hands its own way over when it mounts. */
let navigate: (path: string) => void = (path) => window.location.assign(path);

export function handOverNavigation(way: (path: string) => void): void {
  navigate = way;
}

export function goHome(): void {
  navigate("/");
}
