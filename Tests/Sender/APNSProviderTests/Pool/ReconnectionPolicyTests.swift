import APNSModel
import Testing

@testable import APNSProvider

struct ReconnectionPolicyTests {
    private var policy = ReconnectionPolicy(first: .seconds(1), longest: .seconds(60), seed: 3)
    private var now = MonotonicTime.zero + .seconds(1000)

    /// How long the policy makes the next attempt wait, in milliseconds.
    private var wait: Int {
        (0...120_000).first { policy.allowsConnect(at: now + .milliseconds($0)) } ?? .max
    }

    /// An attempt that fails at once, when it is allowed.
    private mutating func fail(after seconds: Int64 = 0) {
        now = now + .milliseconds(wait)
        policy.connecting(at: now)
        now = now + .seconds(seconds)
        policy.ended(.failed, wasSteady: false, at: now)
    }

    @Test mutating func `before a failure nothing waits, however many connections are opened`() {
        for _ in 0..<10 { policy.connecting(at: now) }
        #expect(wait == 0)
    }

    @Test mutating func `the wait doubles up to the longest, minus up to a half, at most a fifth of the longest`() {
        for (longest, least) in [
            (1, 500), (2, 1000), (4, 2000), (8, 4000), (16, 8000), (32, 20_000), (60, 48_000), (60, 48_000),
        ] {
            fail()
            #expect(wait >= least && wait <= longest * 1000)
        }
    }

    @Test mutating func `the wait counts from the attempt, but the first one always follows a failure`() {
        for _ in 0..<3 { fail() }  // the next attempt sets a wait of 8 s at most
        fail(after: 10)
        #expect(wait >= 500 && wait <= 1000)
    }

    @Test mutating func `an end in order is followed by an attempt without a wait, and that one by waits`() {
        policy.connecting(at: now)
        policy.ended(.inOrder, wasSteady: false, at: now)
        #expect(wait == 0)
        policy.connecting(at: now)
        policy.ended(.inOrder, wasSteady: false, at: now)
        #expect(wait >= 1000)
    }

    @Test mutating func `a connection that works steadily starts the waits again`() {
        for _ in 0..<10 { fail() }
        policy.worksSteadily()
        #expect(wait == 0 && policy.failures == 0)
        fail()
        #expect(wait <= 1000)
    }

    @Test mutating func `a connection that worked steadily is replaced now, also while others fail`() {
        for _ in 0..<10 { fail() }
        #expect(wait >= 48_000)
        policy.ended(.inOrder, wasSteady: true, at: now)
        #expect(wait == 0)
        policy.ended(.failed, wasSteady: true, at: now)
        #expect(wait >= 500 && wait <= 1000)
    }

    @Test func `different seeds come back at different times`() {
        let waits = (0..<20 as Range<UInt64>).map { seed in
            var test = ReconnectionPolicyTests()
            test.policy = ReconnectionPolicy(first: .seconds(1), longest: .seconds(10), seed: seed)
            test.fail()
            return test.wait
        }
        #expect(Set(waits).count > 15)
    }

    @Test mutating func `very many failures do not overflow`() {
        policy = ReconnectionPolicy(first: .milliseconds(1), longest: .seconds(1), seed: 1)
        for _ in 0..<200 { fail() }
        #expect(wait >= 800 && wait <= 1000)
    }
}
