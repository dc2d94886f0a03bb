// Loaded into the server by `npm start`: when start.mjs is gone, even by kill -9, the server stops like after Ctrl-C,
// so that no server without a terminal keeps the port and the database.
process.once("disconnect", () => process.emit("SIGTERM", "SIGTERM"));
process.channel?.unref();
