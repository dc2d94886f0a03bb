import type { Choice } from "@fava/wire/socket.ts";
import { Shuffle, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { announce } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { loadTwoChoices, useLanguage, useT } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import styles from "./TwoChoiceCard.module.css";
import { answerKey, closeTwoChoice, useTwoChoice } from "./two-choice.ts";

const both: readonly Choice[] = [0, 1];

/** A question with two answers, which both users press; the choices are shown once both have. */
export function TwoChoiceCard({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const { chooseAnswer, askBoth } = useCallRuntime();
  const shown = useTwoChoice();
  const areThere = useAnswerTexts(shown?.question ?? null);
  const card = useRef<HTMLElement>(null);
  const { nickname } = room.match.remote;
  const name = isolate(nickname);
  const { question, untilMs, own, other, isOwn } = shown ?? nothing;
  useEffect(() => {
    if (untilMs === 0) return undefined;
    const timer = setTimeout(closeTwoChoice, untilMs - Date.now());
    return () => clearTimeout(timer);
  }, [untilMs]);
  const isShown = shown !== null && areThere;
  const words = isShown ? both.map((choice) => t(answerKey(question, choice))) : [];
  const [first = "", second = ""] = words;
  const said =
    own !== null && other !== null
      ? t("call.bothSaid", { own: words[own] ?? "", name, other: words[other] ?? "" })
      : t("call.bothAsked", { first, second });
  useEffect(() => {
    if (isShown) announce(said);
  }, [isShown, said]);
  useEffect(() => {
    if (isShown && isOwn) card.current?.querySelector<HTMLElement>("[data-answer]")?.focus();
  }, [isShown, isOwn, question]);
  if (!isShown) return null;
  const isDone = own !== null && other !== null;
  const whose = (choice: Choice) =>
    [own === choice ? t("call.you") : null, other === choice ? nickname : null].filter((one) => one !== null);
  return (
    <section ref={card} className={styles.card} aria-label={t("call.both")} data-fades="over-picture" data-two-choice>
      <div className={styles.head}>
        {isDone ? (
          <button type="button" className={styles.again} onClick={askBoth}>
            <Shuffle size={18} aria-hidden="true" />
            {t("call.bothAgain")}
          </button>
        ) : (
          <span role="status">{own === null ? t("call.both") : t("search.waitingFor", { name })}</span>
        )}
        <button type="button" aria-label={t("common.close")} title={t("common.close")} onClick={closeTwoChoice}>
          <X size={20} aria-hidden="true" />
        </button>
      </div>
      <div className={styles.answers}>
        {both.map((choice) =>
          isDone ? (
            <p
              key={choice}
              data-chosen={own === choice || undefined}
              data-dim={whose(choice).length === 0 || undefined}
            >
              {words[choice]}
              <small>
                {whose(choice).map((one, at) => (
                  <bdi key={one} translate="no">
                    {at === 0 ? one : ` · ${one}`}
                  </bdi>
                ))}
              </small>
            </p>
          ) : (
            <button
              key={choice}
              type="button"
              data-answer
              aria-pressed={own === choice}
              aria-disabled={own !== null || undefined}
              data-chosen={own === choice || undefined}
              data-dim={(own !== null && own !== choice) || undefined}
              onClick={() => chooseAnswer(choice)}
            >
              {words[choice]}
            </button>
          ),
        )}
      </div>
    </section>
  );
}

const nothing = { question: 0, untilMs: 0, own: null, other: null, isOwn: false } as const;

/** Whether the answers are loaded in the active language; after a failure the next question tries again. */
function useAnswerTexts(question: number | null): boolean {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<Language | null>(null);
  useEffect(() => {
    if (question === null) return undefined;
    let isWanted = true;
    loadTwoChoices(language).then(
      () => isWanted && setLoaded(language),
      // The call works without the card.
      () => isWanted && setLoaded(null),
    );
    return () => {
      isWanted = false;
    };
  }, [language, question]);
  return loaded === language;
}
