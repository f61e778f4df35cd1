// VitePress reads its configuration here.
import { config } from '../config.ts';

export default config;
