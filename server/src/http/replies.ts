import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function replyRoutes(_app: App): Pick<Routes, 'readReplies' | 'saveReply' | 'deleteReply'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    readReplies: notYet,
    saveReply: notYet,
    deleteReply: notYet,
  };
}
