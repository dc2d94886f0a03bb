import type { ReactNode } from "react";
import { Table } from "#ui/Table.tsx";
import { FilledText } from "./FilledText.tsx";
import type { Block } from "./page-content.ts";
import bulletStyles from "./Bullets.module.css";
import styles from "./PageBlock.module.css";

/** One paragraph, list or table of a static page. */
export function PageBlock({ block, caption }: { block: Block; caption: string }): ReactNode {
  switch (block.kind) {
    case "paragraph":
      return (
        <p>
          <FilledText text={block.text} />
        </p>
      );
    case "list":
      return (
        <ul className={bulletStyles.small}>
          {block.items.map((item) => (
            <li key={item}>
              <FilledText text={item} />
            </li>
          ))}
        </ul>
      );
    case "table":
      return <PageTable block={block} caption={caption} />;
  }
}

function PageTable({ block, caption }: { block: Extract<Block, { kind: "table" }>; caption: string }): ReactNode {
  return (
    <Table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {block.head.map((cell) => (
            <th key={cell} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map(([first, ...others]) => (
          <tr key={first}>
            <th scope="row">
              <FilledText text={first ?? ""} />
            </th>
            {others.map((cell, index) => (
              <td key={index}>
                <FilledText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
