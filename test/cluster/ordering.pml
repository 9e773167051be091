/*
 * The rules by which several nodes make one log in etcd (docs/decisions/0025-the-order-in-etcd.md), for the model checker spin. Two nodes, a
 * store, calls that come late, twice, in another order than those of the other node, or never; a process that dies and comes back as another
 * one; leaders that are replaced at any moment; groups that leave the store. Checked: no proposal is in the log twice, nothing answered is lost, no read misses
 * what was answered before it was asked.
 *
 * test/cluster/model.test.ts says how much of it is looked at (CHANGES of leaders, DEATHS, READS), and plants faults that spin must find:
 * NO_FENCE, EARLY_PROPOSAL, TAKEN_TWICE, READ_BEHIND, COUNT_WITHOUT_BASE.
 */
#define NODES 2
#ifndef CHANGES
#define CHANGES 2
#endif
#ifndef DEATHS
#define DEATHS 1
#endif
#ifndef PLACES
#define PLACES 2
#endif
#define NOBODY 9

#ifdef TAKEN_TWICE
#define IS_NEW true
#else
#define IS_NEW (taken[i] != waits[1 - i])
#endif

/* --- The store: what etcd keeps, each step of it atomic ------------------------------------------------------------------------- */
byte log[PLACES + 1];     /* the proposal at each place; 0: none */
byte last = 0;            /* the last place that was filled */
byte base = 0;            /* what lies up to here has left the store */
byte leader = NOBODY;     /* the process that leads */
byte term = 0;            /* the revision of the leader's key */
byte revision = 0;

/* Calls of each node on their way: term, place, proposal. */
chan puts[NODES] = [1] of { byte, byte, byte };

/* --- Nodes ---------------------------------------------------------------------------------------------------------------------- */
byte boot[NODES];         /* which process of it runs: node + 2 * how often it died */
byte place[NODES];        /* so far it has applied the log */
byte known[NODES];        /* the term that it knows of */
byte leads[NODES];        /* the term by which it leads; 0: it does not */
byte tip[NODES];          /* the last place that it put something at */
byte waits[NODES];        /* what it proposed and is not in the log yet; 0: nothing */
byte mine[NODES];         /* what it is putting: 0: nothing */
bool ordered[NODES];      /* its own proposal was ordered in this term */
byte taken[NODES];        /* as a leader, the last proposal of the other one that it took in this term */
byte queued[NODES];       /* the other one's proposal, not put yet */
byte sent[NODES];         /* calls that it has made for what it is putting */
byte fresh = 1;           /* the next proposal */
byte answered = 0;        /* the place of the last proposal that anybody was answered for */
byte deaths = 0;
byte changes = 0;

inline apply(i) {
  do
  :: place[i] < last ->
      place[i]++;
      if
      :: log[place[i]] == waits[i] && waits[i] != 0 ->
          waits[i] = 0;
          if :: place[i] > answered -> answered = place[i] :: else fi
      :: else
      fi
  :: else -> break
  od
}

/* A page of the store, or what a watch tells: all groups up to a revision, and who leads there. */
inline hear(i) {
  if
  :: known[i] != term ->
      known[i] = term;
      leads[i] = 0; mine[i] = 0; queued[i] = 0; taken[i] = 0; ordered[i] = false; sent[i] = 0;
      if
      :: leader == boot[i] -> leads[i] = term; tip[i] = place[i]
      :: else
      fi
  :: else
  fi
}

inline read(i) {
  d_step {
#ifdef EARLY_PROPOSAL
    hear(i);
#endif
    apply(i);
    hear(i)
  }
}

proctype Node(byte i) {
end:
  do
  /* It reads, or is told. */
  :: place[i] < last || known[i] != term -> read(i)
#ifdef EARLY_PROPOSAL
  :: known[i] != term -> d_step { hear(i) }
#endif

  /* A client proposes. */
  :: waits[i] == 0 && fresh <= PLACES ->
      d_step {
        waits[i] = fresh; fresh++; ordered[i] = false
      }

  /* It wants to lead, and knows who does. */
  :: changes < CHANGES && leads[i] == 0 ->
      d_step {
        changes++;
        if
        :: term == known[i] -> revision++; term = revision; leader = boot[i]
        :: else
        fi
      }

  /* The leader takes what the other node puts to it, once in a term: the message comes at any time, or never. */
  :: d_step {
      (leads[i] != 0 && queued[i] == 0 && waits[1 - i] != 0 && known[1 - i] == leads[i] && leads[1 - i] == 0 && IS_NEW) -> taken[i] = waits[1 - i]; queued[i] = waits[1 - i]
    }

  /* It orders something behind what it has put, one at a time. */
  :: d_step {
      leads[i] != 0 && mine[i] == 0 && tip[i] < PLACES && (queued[i] != 0 || (waits[i] != 0 && !ordered[i])) ->
      if
      :: queued[i] != 0 -> mine[i] = queued[i]; queued[i] = 0
      :: else -> mine[i] = waits[i]; ordered[i] = true
      fi;
      tip[i]++; sent[i] = 0
    }
  /* It calls, and calls again as long as it has no answer. */
  :: mine[i] != 0 && sent[i] < 2 && nfull(puts[i]) -> d_step { puts[i]!leads[i], tip[i], mine[i]; sent[i]++ }
  /* An answer: it is in. */
  :: mine[i] != 0 && log[tip[i]] == mine[i] -> mine[i] = 0

  /* Its process dies; the next one begins with a copy of the log that may be older. */
  :: deaths < DEATHS && i == 0 ->
      d_step {
        deaths++;
        boot[i] = boot[i] + NODES;
        known[i] = 0; leads[i] = 0; waits[i] = 0; mine[i] = 0; queued[i] = 0; taken[i] = 0; ordered[i] = false; sent[i] = 0; tip[i] = 0;
        if
        :: place[i] = base
        :: true
        fi
      }
  od
}

proctype Network(byte i) {
  byte t, p, what;
end:
  do
  /* A call is carried out, however late: the leader may be another one by then. One that was made twice is carried out twice. */
  :: d_step {
      nempty(puts[i]) -> puts[i]?t, p, what;
      if
#ifdef NO_FENCE
      :: log[p] == 0 ->
#else
      :: t == term && leader != NOBODY && log[p] == 0 ->
#endif
          assert(log[p] == 0 || log[p] == what);
          log[p] = what;
          if :: p > last -> assert(p == last + 1); last = p :: else fi
      :: else
      fi;
      t = 0; p = 0; what = 0
    }
  /* A call is lost. */
  :: d_step { nempty(puts[i]) -> puts[i]?t, p, what; t = 0; p = 0; what = 0 }
  od
}

proctype Store() {
end:
  do
  /* The lease of the leader runs out. */
  :: changes < CHANGES && leader != NOBODY -> d_step { changes++; revision++; term = revision; leader = NOBODY }
  /* What a node has may leave the store; its copy holds it, and the others read it there. */
  :: base < place[0] || base < place[1] -> base++
  od
}

/* A client of a node asks for what is its own, after somebody was answered. */
proctype Reader(byte i) {
  byte before, until;
end:
  do
  :: d_step { before = answered; until = 0 };
     /* A linearizable count of the groups behind the place of the node. */
     d_step {
#ifdef READ_BEHIND
       until = place[i]
#else
#ifdef COUNT_WITHOUT_BASE
       if :: base > place[i] -> until = place[i] + (last - base) :: else -> until = last fi
#else
       until = last
#endif
#endif
     };
     place[i] >= until;
     assert(place[i] >= before);
     d_step { before = 0; until = 0 };
     break
  od
}

/* No proposal is at two places. */
#define TWICE(one, other) (log[one] != 0 && log[one] == log[other])

init {
  atomic {
    boot[0] = 0; boot[1] = 1;
    run Node(0); run Node(1); run Network(0); run Network(1); run Store();
#ifdef READS
    run Reader(1)
#endif
  }
}

active proctype Watch() {
end:
  atomic { TWICE(1, 2) -> assert(false) }
}
