// The mutex benchmark with goroutines and sync.Mutex.  It follows bench/mutex/workload.hpp line by
// line; contenders.hpp says what its arguments and its output are.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// splitmix64; bench/support/random.hpp.
type random struct{ state uint64 }

const step = 0x9e3779b97f4a7c15

func mixed(x uint64) uint64 {
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func newRandom(seed, stream uint64) random {
	return random{mixed(seed + mixed(stream+1))}
}

func (r *random) below(bound uint64) uint64 {
	r.state += step
	return (mixed(r.state) >> 32) * bound >> 32
}

// The number of prime factors, the slow way; bench/support/primes.hpp.
//
//go:noinline
func factors(n uint32) uint32 {
	const most = 1100
	var isComposite [most]bool
	root := uint32(math.Sqrt(float64(n)))
	if root >= most {
		panic("factors: the number is too large")
	}
	var count uint32
	for i := uint32(2); i <= root; i++ {
		if isComposite[i] {
			continue
		}
		for multiple := i * i; multiple <= root; multiple += i {
			isComposite[multiple] = true
		}
		for ; n%i == 0; n /= i {
			count++
		}
	}
	if n > 1 {
		count++
	}
	return count
}

func primesNear(middle uint32) []uint32 {
	const onEachSide = 500
	var primes []uint32
	for n := middle; len(primes) < onEachSide; n-- {
		if factors(n) == 1 {
			primes = append(primes, n)
		}
	}
	for n := middle + 1; len(primes) < 2*onEachSide; n++ {
		if factors(n) == 1 {
			primes = append(primes, n)
		}
	}
	return primes
}

// On a cache line of its own: only its task writes it.
type participant struct {
	random     random
	iterations uint32
	factors    uint32
	done       uint32
	_          [44]byte
}

type run struct {
	mutex        sync.Mutex
	_            [64]byte
	inserted     map[uint32]uint32
	sections     uint64
	half         uint64
	primes       []uint32
	seed         uint64
	wait         time.Duration
	participants []participant
	halfDone     []uint32
	firstDone    []uint32
	hasFinisher  uint32
}

func newRun(tasks, iterations, seed uint64, primes []uint32, wait time.Duration) *run {
	total := tasks * iterations
	all := &run{inserted: map[uint32]uint32{}, half: (total + 1) / 2, primes: primes, seed: seed,
		wait: wait, participants: make([]participant, tasks), halfDone: make([]uint32, tasks),
		firstDone: make([]uint32, tasks)}
	for i := range all.participants {
		all.participants[i].random = newRandom(seed, uint64(i))
		all.participants[i].iterations = uint32(iterations)
	}
	return all
}

func (all *run) draw(r *random) uint32 {
	return all.primes[r.below(uint64(len(all.primes)))]
}

func (all *run) lookAround(progress []uint32) {
	for i := range all.participants {
		progress[i] = atomic.LoadUint32(&all.participants[i].done)
	}
}

// The critical section.
func (all *run) section(prime uint32) {
	if _, isThere := all.inserted[prime]; !isThere {
		all.inserted[prime] = prime
	}
	all.sections++
	if all.sections == all.half {
		all.lookAround(all.halfDone)
	}
	if all.wait != 0 {
		for start := time.Now(); time.Since(start) < all.wait; {
		}
	}
}

func (all *run) loop(self *participant) {
	for i := uint32(0); i < self.iterations; i++ {
		prime := all.draw(&self.random)
		all.mutex.Lock()
		all.section(prime)
		all.mutex.Unlock()
		self.factors += factors(prime)
		atomic.StoreUint32(&self.done, self.done+1)
	}
	if atomic.SwapUint32(&all.hasFinisher, 1) == 0 {
		all.lookAround(all.firstDone)
	}
}

// All wait at the start before the clock runs.
func (all *run) measure() float64 {
	start := make(chan struct{})
	var waiting, running sync.WaitGroup
	waiting.Add(len(all.participants))
	running.Add(len(all.participants))
	for i := range all.participants {
		go func(self *participant) {
			waiting.Done()
			<-start
			all.loop(self)
			running.Done()
		}(&all.participants[i])
	}
	waiting.Wait()
	began := time.Now()
	close(start)
	running.Wait()
	return time.Since(began).Seconds()
}

func (all *run) verify() error {
	expected := map[uint32]bool{}
	var total uint64
	for i := range all.participants {
		each := &all.participants[i]
		if each.done != each.iterations {
			return fmt.Errorf("a task did not do all its iterations")
		}
		if each.factors != each.iterations {
			return fmt.Errorf("a prime was not prime")
		}
		again := newRandom(all.seed, uint64(i))
		for n := uint32(0); n < each.iterations; n++ {
			expected[all.draw(&again)] = true
		}
		total += uint64(each.iterations)
	}
	if all.sections != total {
		return fmt.Errorf("sections were lost: no mutual exclusion")
	}
	if len(expected) != len(all.inserted) {
		return fmt.Errorf("the map is not what was inserted")
	}
	for prime := range expected {
		if all.inserted[prime] != prime {
			return fmt.Errorf("the map is not what was inserted")
		}
	}
	return nil
}

func jain(shares []uint32) float64 {
	var sum, squares float64
	for _, share := range shares {
		sum += float64(share)
		squares += float64(share) * float64(share)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(shares)) * squares)
}

func main() {
	tasks := flag.Uint64("tasks", 5000, "")
	iterations := flag.Uint64("iterations", 40, "")
	workers := flag.Int("workers", 2, "")
	sectionNs := flag.Int64("section-ns", 0, "")
	middle := flag.Uint64("middle", 1<<20, "")
	seed := flag.Uint64("seed", 1, "")
	flag.Parse()
	runtime.GOMAXPROCS(*workers)
	all := newRun(*tasks, *iterations, *seed, primesNear(uint32(*middle)),
		time.Duration(*sectionNs))
	seconds := all.measure()
	if err := all.verify(); err != nil {
		fmt.Fprintln(os.Stderr, "wrong result:", err)
		os.Exit(1)
	}
	fmt.Printf("seconds=%.9f sections=%d jain_first=%.9f jain_half=%.9f\n", seconds, all.sections,
		jain(all.firstDone), jain(all.halfDone))
}
