import { type FormEvent, type ReactNode, useId, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { recoveryLogin } from "@fava/wire/endpoints/passkeys.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { deviceId } from "#lib/device-id.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { enterBy } from "./sign-in.ts";
import { signInSource } from "./sign-in-source.ts";
import styles from "./LoginSheet.module.css";

/** Signs in with the account number and a recovery code. */
export function RecoveryForm(): ReactNode {
  const t = useT();
  const id = useId();
  const [number, setNumber] = useState("");
  const [code, setCode] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Key | null>(null);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (number.trim() === "" || code.trim() === "") return setProblem("passkeys.codesWrong");
    setProblem(null);
    setSending(true);
    try {
      const input = { user_no: number.trim(), code: code.trim(), source: signInSource(), imei: deviceId() };
      await enterBy(request(recoveryLogin, input));
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setProblem(problemOf(error));
    } finally {
      setSending(false);
    }
  }

  const described = problem === null ? undefined : `${id}-code-hint`;
  return (
    <form className={styles.recovery} noValidate onSubmit={(event) => void send(event)}>
      <Field id={`${id}-number`} label={t("menu.accountNumber")}>
        <Input
          id={`${id}-number`}
          dir="ltr"
          inputMode="numeric"
          autoComplete="username"
          maxLength={16}
          value={number}
          onChange={(event) => setNumber(event.target.value)}
        />
      </Field>
      <Field
        id={`${id}-code`}
        label={t("passkeys.code")}
        hint={problem && <span role="alert">{t(problem)}</span>}
        isWrong={problem !== null}
      >
        <Input
          id={`${id}-code`}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={code}
          aria-invalid={problem !== null || undefined}
          aria-describedby={described}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="ink" block loading={isSending}>
        {t("login.open")}
      </Button>
    </form>
  );
}

/** Null if a ban notice or the toast "Server error" informs the user. */
function problemOf({ code }: RequestFailure): Key | null {
  if (code === codes.badInput) return "passkeys.codesWrong";
  return code === codes.slowDown ? "passkeys.codesOften" : null;
}
