// Imported first of all: zod would compile each schema into a function of its own when it is first used, which takes
// longer than all that a host parses before Claude can find it. What it parses afterwards is small.
import { z } from 'zod'

z.config({ jitless: true })
