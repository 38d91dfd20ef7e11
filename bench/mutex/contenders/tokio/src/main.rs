//! The mutex benchmark with tasks of Tokio and its Mutex.  It follows bench/mutex/workload.hpp line
//! by line; contenders.hpp says what its arguments and its output are.

use std::collections::BTreeMap;
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Semaphore};

/// splitmix64; bench/support/random.hpp.
struct Random(u64);

fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}

impl Random {
    fn new(seed: u64, stream: u64) -> Self {
        Random(mixed(seed.wrapping_add(mixed(stream + 1))))
    }
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        ((mixed(self.0) >> 32) * bound as u64 >> 32) as usize
    }
}

/// The number of prime factors, the slow way; bench/support/primes.hpp.
#[inline(never)]
fn factors(mut n: u32) -> u32 {
    const MOST: usize = 1100;
    let mut is_composite = [false; MOST];
    let root = (n as f64).sqrt() as u32;
    assert!((root as usize) < MOST, "factors: the number is too large");
    let mut count = 0;
    for i in 2..=root {
        if is_composite[i as usize] {
            continue;
        }
        let mut multiple = i * i;
        while multiple <= root {
            is_composite[multiple as usize] = true;
            multiple += i;
        }
        while n % i == 0 {
            n /= i;
            count += 1;
        }
    }
    if n > 1 { count + 1 } else { count }
}

fn primes_near(middle: u32) -> Vec<u32> {
    const ON_EACH_SIDE: usize = 500;
    let below = (1..=middle).rev().filter(|&n| factors(n) == 1).take(ON_EACH_SIDE);
    let above = (middle + 1..).filter(|&n| factors(n) == 1).take(ON_EACH_SIDE);
    below.chain(above).collect()
}

/// What the mutex protects.
struct Guarded {
    map: BTreeMap<u32, u32>,
    sections: u64,
    when_half_done: Vec<u32>,
}

/// On a cache line of its own: only its task writes it.
#[repr(align(64))]
struct Progress(AtomicU32);

struct Run {
    mutex: Mutex<Guarded>,
    half: u64,
    primes: Vec<u32>,
    wait: Duration,
    progress: Vec<Progress>,
    has_finisher: AtomicBool,
    when_first_finished: std::sync::Mutex<Vec<u32>>,
    start: Semaphore,
}

impl Run {
    fn draw(&self, random: &mut Random) -> u32 {
        self.primes[random.below(self.primes.len())]
    }

    fn look_around(&self) -> Vec<u32> {
        self.progress.iter().map(|each| each.0.load(Relaxed)).collect()
    }

    /// The critical section.
    fn section(&self, inside: &mut Guarded, prime: u32) {
        inside.map.entry(prime).or_insert(prime);
        inside.sections += 1;
        if inside.sections == self.half {
            inside.when_half_done = self.look_around();
        }
        if !self.wait.is_zero() {
            let start = Instant::now();
            while start.elapsed() < self.wait {}
        }
    }

    /// Returns how many factors were found.
    async fn task(self: Arc<Self>, index: usize, seed: u64, iterations: u32) -> u32 {
        let mut random = Random::new(seed, index as u64);
        let mut found = 0;
        self.start.acquire().await.expect("never closed").forget();
        for done in 1..=iterations {
            let prime = self.draw(&mut random);
            {
                let mut inside = self.mutex.lock().await;
                self.section(&mut inside, prime);
            }
            found += factors(prime);
            self.progress[index].0.store(done, Relaxed);
        }
        if !self.has_finisher.swap(true, Relaxed) {
            *self.when_first_finished.lock().unwrap() = self.look_around();
        }
        found
    }
}

fn verify(run: &Run, inside: &Guarded, seed: u64, iterations: u32, found: &[u32]) -> Result<(), &'static str> {
    let mut expected = BTreeMap::new();
    for (index, (progress, found)) in run.progress.iter().zip(found).enumerate() {
        if progress.0.load(Relaxed) != iterations {
            return Err("a task did not do all its iterations");
        }
        if *found != iterations {
            return Err("a prime was not prime");
        }
        let mut again = Random::new(seed, index as u64);
        for _ in 0..iterations {
            let prime = run.draw(&mut again);
            expected.insert(prime, prime);
        }
    }
    if inside.sections != iterations as u64 * run.progress.len() as u64 {
        return Err("sections were lost: no mutual exclusion");
    }
    if inside.map != expected {
        return Err("the map is not what was inserted");
    }
    Ok(())
}

fn jain(shares: &[u32]) -> f64 {
    let sum: f64 = shares.iter().map(|&share| share as f64).sum();
    let squares: f64 = shares.iter().map(|&share| share as f64 * share as f64).sum();
    if squares == 0.0 { 1.0 } else { sum * sum / (shares.len() as f64 * squares) }
}

/// The value of `--name=value`.
fn option(name: &str) -> u64 {
    let prefix = format!("--{name}=");
    let value = std::env::args().find_map(|each| each.strip_prefix(&prefix).map(str::to_owned));
    match value.and_then(|text| text.parse().ok()) {
        Some(number) => number,
        None => {
            eprintln!("no --{name}=NUMBER");
            exit(2);
        }
    }
}

fn main() {
    let tasks = option("tasks") as usize;
    let iterations = option("iterations") as u32;
    let seed = option("seed");
    let total = tasks as u64 * iterations as u64;
    let run = Arc::new(Run {
        mutex: Mutex::new(Guarded { map: BTreeMap::new(), sections: 0, when_half_done: Vec::new() }),
        half: (total + 1) / 2,
        primes: primes_near(option("middle") as u32),
        wait: Duration::from_nanos(option("section-ns")),
        progress: (0..tasks).map(|_| Progress(AtomicU32::new(0))).collect(),
        has_finisher: AtomicBool::new(false),
        when_first_finished: std::sync::Mutex::new(Vec::new()),
        start: Semaphore::new(0),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(option("workers") as usize)
        .build()
        .expect("no runtime");
    let (seconds, found) = runtime.block_on(async {
        // All wait at the start before the clock runs.
        let handles: Vec<_> =
            (0..tasks).map(|i| tokio::spawn(run.clone().task(i, seed, iterations))).collect();
        let began = Instant::now();
        run.start.add_permits(tasks);
        let mut found = Vec::with_capacity(tasks);
        for handle in handles {
            found.push(handle.await.expect("a task panicked"));
        }
        (began.elapsed().as_secs_f64(), found)
    });
    let inside = run.mutex.try_lock().expect("the mutex is still locked");
    if let Err(why) = verify(&run, &inside, seed, iterations, &found) {
        eprintln!("wrong result: {why}");
        exit(1);
    }
    println!(
        "seconds={seconds:.9} sections={} jain_first={:.9} jain_half={:.9}",
        inside.sections,
        jain(&run.when_first_finished.lock().unwrap()),
        jain(&inside.when_half_done)
    );
}
