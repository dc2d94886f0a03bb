// Programs that the tests need and npm does not install: Chromium and its shell, Firefox, coturn, Redis, HAProxy, Caddy,
// OpenSSL, Prometheus, the oldest supported PostgreSQL, fonts for the offered languages, and the fallback font that ours replace.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installGo } from "./go-programs.mjs";

const packages = [
  "chromium",
  "chromium-headless-shell",
  "firefox-esr",
  "coturn",
  "redis-server",
  "haproxy",
  "caddy",
  "openssl",
  "prometheus",
  "fonts-liberation",
  "fonts-noto-core",
  "fonts-noto-color-emoji",
  "fonts-droid-fallback",
];

/** Only Debian 12 has it. */
const oldestPostgres = "postgresql-15";
const oldestPostgresFolder = "/usr/lib/postgresql/15";

/** Paths of the programs, null for missing ones. On Debian, root installs them first; elsewhere a line explains how. */
export function systemPrograms() {
  const given = { chromium: findPrograms().chromium, "firefox-esr": process.env.FIREFOX_PATH };
  installMissing(packages.filter((name) => !given[name]));
  if (release().includes('VERSION_ID="12"')) installMissing([oldestPostgres]);
  const found = findPrograms();
  if (Object.values(found).includes(null)) {
    console.log(
      `For every test, install Chromium, Firefox, coturn, Redis, HAProxy, Caddy, Prometheus and PostgreSQL 15 (Debian 12: apt-get install ${[...packages, oldestPostgres].join(" ")})`,
    );
  }
  const missing = installGo(["stripe-mock"]);
  if (missing.length > 0) console.log(`For every test, install Go, which installs ${missing.join(" and ")}`);
  return found;
}

/** Installs the missing ones of these Debian packages, as root on Debian; returns those that are still missing. */
export function installMissing(names) {
  const wanted = names.filter((name) => !isInstalled(name));
  if (wanted.length === 0 || !isDebianRoot()) return wanted;
  install(wanted);
  return wanted.filter((name) => !isInstalled(name));
}

function findPrograms() {
  return {
    chromium: process.env.CHROMIUM_PATH ?? findProgram("chromium", "chromium-browser", "google-chrome"),
    firefox: process.env.FIREFOX_PATH ?? findProgram("firefox-esr"),
    turnserver: findProgram("turnserver"),
    redis: findProgram("redis-server"),
    haproxy: findProgram("haproxy"),
    caddy: findProgram("caddy"),
    prometheus: findProgram("prometheus"),
    postgres: existsSync(oldestPostgresFolder) ? oldestPostgresFolder : null,
  };
}

function findProgram(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing or not executable for this user: the same to the caller.
    return false;
  }
}

function isDebianRoot() {
  return process.getuid?.() === 0 && /^ID=debian$/m.test(release());
}

/** Name and version of the operating system; empty for one that is not Linux. */
function release() {
  return existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
}

function isInstalled(name) {
  const answer = spawnSync("dpkg-query", ["--show", "--showformat=${Status}", name], { encoding: "utf8" });
  return answer.stdout === "install ok installed";
}

function install(names) {
  console.log(`Installing ${names.join(" ")}`);
  const options = {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", ["update", "--quiet"], options);
  spawnSync("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", ...names], options);
  // Debian starts a service with each package, but the tests start their own.
  const services = ["coturn", "redis-server", "haproxy", "caddy", "prometheus", "postgresql"].filter((service) =>
    names.some((name) => name.startsWith(service)),
  );
  if (services.length > 0 && existsSync("/run/systemd/system")) {
    spawnSync("systemctl", ["disable", "--now", ...services], options);
  }
}
