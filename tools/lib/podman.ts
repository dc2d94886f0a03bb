import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeOfImage } from "./other-node.mjs";
import { unmountBelow } from "./run-folder.mjs";

/** Whether containers can be built and run; `npm run test:deep -- image` installs it on Debian. */
export const podmanIsInstalled = ["podman", "runc", "debootstrap"].every((name) =>
  ["/usr/bin", "/usr/sbin"].some((folder) => existsSync(join(folder, name))),
);

const npmVersion = "11.19.1";
/** Podman's own processes have this limit. */
const processesMax = 32_768;
const folderVariable = "FAVA_TEST_FOLDER";
const podmanChain = "NETAVARK";
const outputBytesMax = 64 * 2 ** 20;

/** Podman with images, containers and networks of its own, all below one temporary folder. */
export class Podman implements AsyncDisposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #firewall: string;

  /** @param firewall its rules before podman adds some. */
  private constructor(folder: string, firewall: string) {
    this.folder = folder;
    this.#firewall = firewall;
    this.env = {
      ...process.env,
      CONTAINERS_CONF: join(folder, "containers.conf"),
      CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
    };
  }

  static async open(): Promise<Podman> {
    const folder = await mkdtemp(join(tmpdir(), `fava-podman-${process.pid}-`));
    const [, filesMax = "1024"] = /open files +\d+ +(\d+)/.exec(await readFile("/proc/self/limits", "utf8")) ?? [];
    const quoted = (name: string) => JSON.stringify(join(folder, name));
    await writeFile(
      join(folder, "containers.conf"),
      `[containers]
# Higher limits than those of this process need CAP_SYS_RESOURCE.
default_ulimits = ["nofile=${filesMax}:${filesMax}", "nproc=${processesMax}:${processesMax}"]
# By its path, the end of a test run finds the processes in containers as well.
env = ["${folderVariable}=${folder}"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = ${quoted("engine")}
[network]
network_backend = "netavark"
network_config_dir = ${quoted("networks")}
`,
    );
    await writeFile(
      join(folder, "storage.conf"),
      `[storage]
driver = "overlay"
graphroot = ${quoted("storage")}
runroot = ${quoted("run")}
`,
    );
    return new Podman(folder, await firewall());
  }

  /** @returns the output. @throws Error with the messages of podman. */
  async run(...words: readonly string[]): Promise<string> {
    return (await promisify(execFile)("podman", words, { env: this.env, maxBuffer: outputBytesMax })).stdout.trim();
  }

  /** Runs a command in a new container of this image and removes the container. @returns the command's output. */
  once(image: string, words: readonly string[], ...options: readonly string[]): Promise<string> {
    return this.run("run", "--rm", ...options, image, ...words);
  }

  /** Makes an image with Debian, Node.js and npm, since no registry of images can be reached. */
  async makeBase(name: string): Promise<void> {
    const tree = join(this.folder, "base");
    const [, suite = ""] = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile("/etc/os-release", "utf8")) ?? [];
    const program = nodeOfImage(join(this.folder, "node"));
    if (program === null) throw new Error("npm has no Node.js for this machine");
    await promisify(execFile)("debootstrap", ["--variant=minbase", "--include=ca-certificates", suite, tree]);
    await copyFile(program, join(tree, "usr/local/bin/node"));
    const prefix = join(tree, "usr/local");
    await promisify(execFile)("npm", ["install", "--global", `--prefix=${prefix}`, `npm@${npmVersion}`]);
    for (const folder of ["var/cache/apt/archives", "var/lib/apt/lists"]) {
      await rm(join(tree, folder), { recursive: true });
      await mkdir(join(tree, folder, "partial"), { recursive: true });
    }
    const archive = spawn("tar", ["--directory", tree, "--create", "."], { stdio: ["ignore", "pipe", "inherit"] });
    const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    const imported = promisify(execFile)("podman", ["import", "--change", `ENV ${path}`, "-", name], { env: this.env });
    archive.stdout.pipe(imported.child.stdin as NodeJS.WritableStream);
    await imported;
    await rm(tree, { recursive: true });
  }

  /** Builds an image with this machine's network and its settings of npm. */
  async build(folder: string, ...options: readonly string[]): Promise<void> {
    const setting = (name: string) => execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();
    const mounts = [
      [setting("userconfig"), "/root/.npmrc:ro"],
      [setting("globalconfig"), "/usr/local/etc/npmrc:ro"],
      [setting("cache"), "/root/.npm"],
      ["/etc/ssl/certs", "/etc/ssl/certs:ro"],
    ].flatMap(([from = "", to = ""]) => (existsSync(from) ? ["--volume", `${from}:${to}`] : []));
    // The image format of OCI has no health check.
    await this.run("build", "--format=docker", "--network=host", ...mounts, ...options, folder);
  }

  /** Removes containers, networks, images and mounts. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("rm", "--all", "--force", "--volumes", "--time=0");
    await this.run("network", "prune", "--force");
    unmountBelow(this.folder);
    await rm(this.folder, { recursive: true, force: true });
    if (!this.#firewall.includes(podmanChain)) await removeChains();
  }
}

async function firewall(): Promise<string> {
  return (await promisify(execFile)("iptables-save")).stdout;
}

/** Podman leaves its chains in the firewall after the last container. */
async function removeChains(): Promise<void> {
  const left = (await firewall()).split("\n").filter((line) => !line.includes(podmanChain));
  execFileSync("iptables-restore", { input: left.join("\n") });
}
