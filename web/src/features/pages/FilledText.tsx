import { Fragment, type ReactNode } from "react";
import { Link } from "#ui/Link.tsx";
import { fillFacts, type TextRun, useFacts } from "./operator-facts.ts";

/** A text of a static page with facts and links in it. */
export function FilledText({ text }: { text: string }): ReactNode {
  const facts = useFacts();
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
    case "link":
      return <Link to={run.to}>{run.text}</Link>;
  }
}
