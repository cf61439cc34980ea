import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayJSON
import GatewayRuntime
import SystemFiles
import TestSeeds
import Testing

@testable import GatewayCore
@testable import GatewayListener
@testable import GatewayServer
@testable import HTTP2Session

struct HeldAnswersTests {
    private static func answer(_ slot: Int32, id: Int32? = nil) -> HeldAnswers.Answer {
        let verdict = Verdict(outcome: .accepted, apnsID: "\(slot)", shownID: nil, rule: "accepted", why: "")
        return HeldAnswers.Answer(
            stream: HTTP2Stream(id: id ?? 2 * slot + 1, slot: slot), isRequestIncomplete: false,
            response: GatewayResponse(verdict, ContestedSettings()))
    }

    @Test(arguments: TestSeed.all([5]))
    func `answers come when they are due, the earliest first`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        var held = HeldAnswers()
        var dues: [Int64] = []
        for slot in 0..<2000 {
            dues.append(Int64(generator.next() % 500))
            held.hold(Self.answer(Int32(slot)), until: dues[slot])
        }
        #expect(held.nextDue == dues.min())
        var taken: [Int] = []
        for now in Int64(0)..<500 {
            while let answer = held.next(upTo: now) {
                #expect(dues[Int(answer.stream.slot)] == now)
                taken.append(Int(answer.stream.slot))
            }
        }
        #expect(taken == dues.indices.sorted { (dues[$0], $0) < (dues[$1], $1) })
        #expect(held.count == 0)
        #expect(held.nextDue == nil)
    }

    @Test func `the answer of a stream that is gone is dropped, and its slot can be used again`() {
        var held = HeldAnswers()
        held.hold(Self.answer(0), until: 10)
        held.hold(Self.answer(1), until: 20)
        held.drop(Self.answer(0).stream)
        held.drop(Self.answer(0).stream)
        held.hold(Self.answer(0, id: 9), until: 30)
        #expect(held.count == 2)
        #expect(held.next(upTo: 15) == nil)
        #expect(held.next(upTo: 40)?.stream.id == 3)
        #expect(held.next(upTo: 40)?.stream.id == 9)
        #expect(held.next(upTo: 40) == nil)
    }

    @Test func `a sender that resets what it asked cannot make it grow`() {
        var held = HeldAnswers()
        var most = 0
        held.hold(Self.answer(1), until: 500_000)
        for id in 0..<Int32(10_000) {
            let answer = Self.answer(0, id: 2 * id + 1)
            held.hold(answer, until: 1_000_000 - Int64(id))
            held.drop(answer.stream)
            most = max(most, held.entryCount)
        }
        #expect(most <= 70)
        #expect(held.count == 1)
        #expect(held.next(upTo: .max)?.stream.slot == 1)
    }
}
