/**
 * The rules of quotas as the shared server runs them, in Lua: those of `Buckets` and `LongCycle` to the digit, for all
 * that a node asks at once. A script runs as a whole and alone. Source: domain 9.
 *
 * Time is the server's own: the clocks of nodes differ, and a bucket must not fill by the difference. A clock of the
 * server that is set back gives and takes nothing, as in `SteadyTime`. A bucket is "QUOTA TIME", in thousandths and in
 * steps of its group's seconds; one that is not there is full, so it expires when it would be. A row of the long cycle
 * is "HOUR USED USED USED USED" and ends with its day.
 */

/** Numbers that an entry has among the arguments, behind the common ones; each is described at `Entry`. */
export const ENTRY_ARGUMENTS = 7;

/**
 * Numbers that answer an entry: 1 when it passes, thousandths left, the rate that held, requests used in the four
 * windows or -1.
 */
export const ENTRY_ANSWERS = 7;

/**
 * Keys: for each entry its bucket and its row of the long cycle, or the same key again without one. Arguments: the time
 * in ms, or "" for the server's own; the limits of the four windows, -1 for none; then those of each entry.
 */
export const CHECK_SCRIPT = `
local now = tonumber(ARGV[1])
local keptMs = 0
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
else
  -- Somebody else's time may stand still, while keys expire by the server's.
  keptMs = 60000
end
local hour = math.floor(now / 3600000)
local hours = {1, 4, 8, 24}
local answers = {}
local at = 6
for entry = 1, #KEYS / 2 do
  local bucketKey, longKey = KEYS[entry * 2 - 1], KEYS[entry * 2]
  local isAsked = ARGV[at] == '1'
  local rate, slowRate, seconds = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local cost, poorWindows, isCounted = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  at = at + ${ENTRY_ARGUMENTS}

  local used = {-1, -1, -1, -1}
  local rateNow = rate
  if longKey ~= bucketKey then
    local row = redis.call('GET', longKey)
    local words = {}
    if row then for word in string.gmatch(row, '%d+') do words[#words + 1] = tonumber(word) end end
    for window = 1, 4 do
      local isCurrent = #words == 5 and math.floor(words[1] / hours[window]) == math.floor(hour / hours[window])
      used[window] = isCurrent and words[window + 1] or 0
      local isPoor = math.floor(poorWindows / 2 ^ (window - 1)) % 2 == 1
      local limit = tonumber(ARGV[window + 1])
      if isPoor and limit >= 0 and used[window] > limit then rateNow = slowRate end
    end
  end

  local step = math.floor(now / seconds)
  local quota = rateNow * 1000
  local bucket = redis.call('GET', bucketKey)
  if bucket then
    local left, since = string.match(bucket, '^(%-?%d+) (%d+)$')
    if left then quota = math.min(quota, left + rateNow * math.max(0, step - since)) end
  end
  local passes = not isAsked or quota >= 1000
  if passes then
    quota = quota - cost * 1000
    if isCounted then
      for window = 1, 4 do used[window] = used[window] + cost end
      local row = string.format('%d %d %d %d %d', hour, used[1], used[2], used[3], used[4])
      local dayEnd = (math.floor(hour / 24) + 1) * 86400000
      redis.call('SET', longKey, row, 'PX', dayEnd - now + keptMs)
    end
  end
  local fullInSteps = math.ceil((rate * 1000 - quota) / slowRate)
  local kept = string.format('%d %d', quota, step)
  redis.call('SET', bucketKey, kept, 'PX', math.max(1, fullInSteps) * seconds + keptMs)

  local answer = (entry - 1) * ${ENTRY_ANSWERS}
  answers[answer + 1] = passes and 1 or 0
  answers[answer + 2] = quota
  answers[answer + 3] = rateNow
  for window = 1, 4 do answers[answer + 3 + window] = used[window] end
end
return answers
`;

/** A node that was not heard of for so long is not counted among those that share. */
export const NODE_KEPT_MS = 5_000;

/** Keys: the set of nodes. Arguments: the name of the node that asks. Gives how many nodes were heard of lately. */
export const BEAT_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${NODE_KEPT_MS})
-- Of a clock that has been set back since.
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + ${NODE_KEPT_MS}, '+inf')
redis.call('PEXPIRE', KEYS[1], ${NODE_KEPT_MS})
return redis.call('ZCARD', KEYS[1])
`;
