import { Fragment, type ReactNode } from "react";
import { fillFacts, useOperatorFacts, type TextRun } from "./operator-facts.ts";

/** A text of a static page with the operator's facts in it. */
export function FilledText({ text }: { text: string }): ReactNode {
  const facts = useOperatorFacts();
  return fillFacts(text, facts).map((run, index) => <Fragment key={index}>{shown(run)}</Fragment>);
}

function shown(run: TextRun): ReactNode {
  switch (run.kind) {
    case "words":
      return run.text;
    case "fact":
      return <bdi>{run.text}</bdi>;
    case "email":
      return (
        <a href={`mailto:${run.text}`}>
          <bdi>{run.text}</bdi>
        </a>
      );
  }
}
