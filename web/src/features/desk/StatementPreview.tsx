import { type ReactNode, useEffect, useState } from "react";
import type { BanHours } from "@fava/wire/moderation.ts";
import { banStatement, statementFormat } from "#lib/ban-statement.ts";
import { isolate } from "#lib/format.ts";
import { currentLanguage, textsIn, type Translate, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { directionOf, pickLanguage } from "#lib/languages.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { BanReasonId } from "./case-state.ts";
import { forbidFacts, type ForbidSubject } from "./forbid-facts.ts";
import styles from "./StatementPreview.module.css";

/** The statement that the person will read, in the language that it will be read in; it follows the choice. */
export function StatementPreview(props: {
  subject: ForbidSubject;
  choice: { hours: BanHours; reasonId: BanReasonId } | null;
  nowMs: number;
}): ReactNode {
  const t = useT();
  const { subject, choice } = props;
  const { person } = subject;
  const language = pickLanguage([person.language]);
  const texts = useTextsIn(language);
  const statement =
    texts && choice
      ? banStatement(texts, statementFormat(language, "utc"), forbidFacts(subject, choice, props.nowMs))
      : null;
  return (
    <section className={styles.preview}>
      <h3>
        {t("desk.forbid.reads", { name: isolate(person.nickname) })}
        <span>{languageName(currentLanguage(), language)}</span>
      </h3>
      <div className={styles.statement} lang={language} dir={directionOf(language)} aria-live="polite">
        {statement ? (
          <>
            <p className={styles.title}>{statement.title}</p>
            {statement.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </>
        ) : (
          <NoStatement waits={choice !== null} />
        )}
      </div>
    </section>
  );
}

function NoStatement({ waits }: { waits: boolean }): ReactNode {
  const t = useT();
  return waits ? (
    <Skeleton height="120px" />
  ) : (
    <p className={styles.none} dir="auto">
      {t("desk.forbid.chooseFirst")}
    </p>
  );
}

/** The texts of a language, or null until they are there. */
function useTextsIn(language: Parameters<typeof textsIn>[0]): Translate | null {
  const [loaded, setLoaded] = useState<{ texts: Translate } | null>(null);
  useEffect(() => {
    let ended = false;
    textsIn(language).then(
      (texts) => {
        if (!ended) setLoaded({ texts });
      },
      (error: unknown) => console.error("texts of the statement not loaded", error),
    );
    return () => {
      ended = true;
    };
  }, [language]);
  return loaded?.texts ?? null;
}
