import type { FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";

const bodySchema = v.strictObject({
  user_no: v.pipe(v.string(), v.regex(/^\d{1,12}$/)),
  beans: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000)),
});

/** Answers `POST /sandbox/beans {user_no, beans}`, by which tests and developers get beans without a payment. */
export async function sendBeans(
  request: FastifyRequest,
  reply: FastifyReply,
  giveBeans: (userNo: string, beans: bigint) => Promise<boolean>,
): Promise<FastifyReply> {
  const body = v.safeParse(v.pipe(v.string(), v.parseJson(), bodySchema), request.body);
  if (!body.success) return refuse(reply, 400, "the body is {user_no, beans}, beans an integer");
  const { user_no: userNo, beans } = body.output;
  return (await giveBeans(userNo, BigInt(beans))) ? reply.send({}) : refuse(reply, 404, "nobody has that number");
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ code: status, data: null, msg: message });
}
