import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { goProgram } from "./go-programs.mjs";
import type { Podman } from "./podman.ts";

/** PostgreSQL as its official image starts it: with the user, database and password of the environment. */
const postgresEntry = `#!/bin/sh
set -e
data=/var/lib/postgresql/data
as="setpriv --reuid=postgres --regid=postgres --clear-groups"
shift
install -d -m 700 -o postgres -g postgres $data /run/postgresql
if [ ! -e $data/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  chmod 644 /tmp/password
  $as initdb -D $data -U "$POSTGRES_USER" -A scram-sha-256 --pwfile=/tmp/password -E UTF8 --locale=C.UTF-8
  echo "host all all all scram-sha-256" >> $data/pg_hba.conf
  echo "create database $POSTGRES_DB" | $as postgres --single -D $data postgres
fi
exec $as postgres -D $data -c "listen_addresses=*" "$@"
`;

/** Debian builds coturn without metrics, and it refuses their options. */
const coturnEntry = `#!/bin/sh
for option in "$@"; do
  shift
  case $option in --prometheus*) ;; *) set -- "$@" "$option" ;; esac
done
exec turnserver "$@"
`;

const entries = { postgres: postgresEntry, coturn: coturnEntry };
const packages = ["postgresql", "redis-server", "coturn"];

/** What each image of `deploy/compose.yaml` adds to the image with the packages. */
const images = {
  postgres: `ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
COPY postgres /usr/local/bin/entry
STOPSIGNAL SIGINT
ENTRYPOINT ["/usr/local/bin/entry"]
`,
  redis: "",
  coturn: `COPY coturn /usr/local/bin/entry
ENTRYPOINT ["/usr/local/bin/entry"]
`,
  caddy: `COPY caddy /usr/local/bin/caddy
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
`,
};

/** Makes `fava-test/NAME` of Debian's packages for each service of `deploy/compose.yaml`, since no registry can be reached. */
export async function makeSiteImages(podman: Podman, base: string): Promise<void> {
  const folder = join(podman.folder, "services");
  await mkdir(folder);
  for (const [name, entry] of Object.entries(entries)) await writeFile(join(folder, name), entry, { mode: 0o755 });
  await copyFile(goProgram("caddy"), join(folder, "caddy"));
  await writeFile(
    join(folder, "Dockerfile"),
    `FROM ${base}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ${packages.join(" ")}
`,
  );
  await podman.run("build", "--network=host", "--tag=localhost/fava-test/services", folder);
  for (const [name, steps] of Object.entries(images)) {
    const file = join(folder, `Dockerfile.${name}`);
    await writeFile(file, `FROM localhost/fava-test/services\n${steps}`);
    await podman.run("build", `--tag=localhost/fava-test/${name}`, `--file=${file}`, folder);
  }
}
