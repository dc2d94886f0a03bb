import { expect, test } from "vitest";
import { CallTickets } from "./call-tickets.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const tickets = new CallTickets(new ServerSecret("secret of a test"));

test("names the room of a ticket to the user it was made for only", () => {
  const ticket = tickets.of("a.room", 1n);
  expect(tickets.roomOf(ticket, 1n)).toBe("a.room");
  expect(tickets.roomOf(ticket, 2n)).toBeNull();
  expect(new CallTickets(new ServerSecret("another secret")).roomOf(ticket, 1n)).toBeNull();
  for (const wrong of ["", ".", "a.room", `b${ticket}`, `${ticket}A`, ticket.slice(0, -2)])
    expect(tickets.roomOf(wrong, 1n)).toBeNull();
});

test("makes one token for each user and room, the same at every server, and different from the ticket", () => {
  const token = tickets.tokenOf("a.room", 1n);
  expect(new CallTickets(new ServerSecret("secret of a test")).tokenOf("a.room", 1n)).toBe(token);
  const others = [
    tickets.tokenOf("a.room", 2n),
    tickets.tokenOf("b.room", 1n),
    tickets.of("a.room", 1n).split(".").at(-1),
  ];
  expect(new Set([token, ...others]).size).toBe(4);
});
