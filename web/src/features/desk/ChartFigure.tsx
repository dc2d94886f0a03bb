import { type ReactNode, useId, useState } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "./Figures.module.css";

/** A chart with its title, and the same as a table on request. */
export function ChartFigure(props: {
  title: string;
  lead: string;
  /** Names of the columns, and the rows below them. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  foot?: string;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption>
        <div>
          <h3 id={id}>{props.title}</h3>
          <p>{props.lead}</p>
        </div>
        <button
          type="button"
          className={styles.toggle}
          aria-pressed={asTable}
          aria-label={`${t("desk.figures.table")}: ${props.title}`}
          onClick={() => setAsTable(!asTable)}
        >
          {t("desk.figures.table")}
        </button>
      </figcaption>
      {props.rows.length === 0 ? (
        <p className={styles.foot}>{t("desk.figures.nothing")}</p>
      ) : asTable ? (
        <ChartTable title={props.title} columns={props.columns} rows={props.rows} />
      ) : (
        props.children
      )}
      {props.foot !== undefined && <p className={styles.foot}>{props.foot}</p>}
    </figure>
  );
}

function ChartTable(props: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}): ReactNode {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(([first, ...others], index) => (
            <tr key={index}>
              <th scope="row">{first}</th>
              {others.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
