import { serve } from './channel.js';
import { jobs } from './jobs.js';
import { sentenceOfAny } from './words.js';

serve(jobs, globalThis as unknown as Worker, sentenceOfAny);
