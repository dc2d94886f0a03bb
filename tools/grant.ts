import { roles } from "@fava/wire/people.ts";
import { readConfig } from "@fava/server/config.ts";
import { joinConfigured } from "@fava/server/db/configured.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { grantRole, type RoleName } from "@fava/server/moderation/role-change.ts";
import { startFailure } from "@fava/server/start-message.ts";

/** `npm run grant -- ROLE NUMBER`: gives the account with this number a role, also when no administrator is left. */
async function main(): Promise<void> {
  const [role = "", userNo = ""] = process.argv.slice(2);
  if (!isRole(role) || !/^[1-9]\d{7}$/.test(userNo))
    return refuse(`npm run grant -- ${Object.keys(roles).join("|")} NUMBER, with the account's number of 8 digits`);
  await using server = await joinConfigured(readConfig());
  await using database = openDatabase(server.url, { max: 1 });
  const granted = await grantRole(database.db, { userNo, role, at: new Date() });
  if (!granted) return refuse(`no account has the number ${userNo}; a deleted one gets no role`);
  console.log(
    `${granted.nickname} (${userNo}) was ${granted.before} and is ${role} now. Running servers know it within a minute.`,
  );
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

function isRole(text: string): text is RoleName {
  return Object.hasOwn(roles, text);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
