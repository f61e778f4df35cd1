import type { WorkerMessage } from '../push/workerMessage.ts';
import type { Window } from './scope.ts';

/** The answer of a window to a message; undefined without an answer in time. */
export function askWindow(
  window: Pick<Window, 'postMessage'>,
  message: WorkerMessage,
  ms: number,
): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const answered = (answer: unknown) => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(answered, ms);
    port1.onmessage = ({ data }) => answered(data);
    window.postMessage(message, [port2]);
  });
}
