/** For the environment of a program that a test starts: Node compiles its modules once, and not at each start. */
export const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
