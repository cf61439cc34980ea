import APNSModel
import APNSProvider
import Testing

/// What becomes of a notification that is sent to a server that keeps no rule, when, and what the error says. On virtual
/// time, without sockets; `HostileListenerTests` repeats it over TLS.
struct HostileServerTests {
    @Test(arguments: HostileCase.all)
    func `a notification to a hostile server ends as the table says, and the next one is accepted`(
        test: HostileCase
    ) throws {
        let run = HostileRun(test)
        let ending = try run.send()
        #expect(ending.map(test.ending.allows) == true, "\(ending.map { "\($0)" } ?? "no outcome")")
        let (isAccepted, isReconnected) = try run.sendAgain()
        #expect(isAccepted == test.recovers)
        if isAccepted, test.ending.bound != .deadline { #expect(isReconnected == !test.ending.isKept) }
    }

    @Test(arguments: HostileCase.all.filter { !HostileCase.floods.map(\.name).contains($0.name) }, [1, 7, 4096])
    func `it ends so too where the bytes are cut`(test: HostileCase, piece: Int) throws {
        guard piece > 7 || test.name != "a body of 10 MB" else { return }
        let ending = try HostileRun(test, piece: piece).send()
        #expect(ending.map(test.ending.allows) == true, "\(ending.map { "\($0)" } ?? "no outcome")")
    }

    @Test func `each case has a name of its own`() {
        #expect(HostileCase.all.count >= 60)
        #expect(Set(HostileCase.all.map(\.name)).count == HostileCase.all.count)
    }

    @Test(arguments: 100...599)
    func `each status has its outcome`(status: Int) throws {
        let body = #"{"reason":"BadTopic"}"#
        let test = HostileCase(
            "\(status)", .answering { WireFrame.answer($0, "\(status)", body: status == 200 ? "" : body) },
            Ending(.accepted))
        let ending = try #require(try HostileRun(test).send())
        switch status {
        case 200: #expect(ending.result == .accepted)
        case 100..<300:
            #expect([.unknown(.streamReset), .unknown(.invalidAnswer)].contains(ending.result), "\(ending)")
        // An answer with this status has no body, so its stream is reset.
        case 304: #expect(ending.result == .refused && ending.message == "no reason (304)", "\(ending)")
        default: #expect(ending.result == .refused && ending.message == "BadTopic (\(status))", "\(ending)")
        }
    }
}
