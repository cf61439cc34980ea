import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON
import Testing

struct FaultEffectJSONTests {
    @Test(
        arguments: [
            (#"{"refuse":{"status":429,"reason":"TooManyRequests"}}"#, .refuse(.tooManyRequests)),
            (
                #"{"refuse":{"status":400,"reason":"BadDeviceToken","max-concurrent-streams":1}}"#,
                .refuse(.badDeviceToken, streams: 1)
            ),
            (#"{"delay":"200ms"}"#, .delay(.fixed(200))), (#"{"delay":"never"}"#, .delay(.never)),
            (#"{"delay":{"uniform":["10ms","2000ms"]}}"#, .delay(.uniform(10...2000))),
            (#"{"delay":{"log-normal":{"median":"40ms","sigma":0.8}}}"#, .delay(.logNormal(median: 40, sigma: 0.8))),
            (#"{"silence":true}"#, .silence(.before)), (#"{"silence":"after"}"#, .silence(.after)),
            (#"{"reset":7}"#, .reset(code: 7, .before)),
            (#"{"reset":{"code":7,"after":true}}"#, .reset(code: 7, .after)),
            (
                #"{"goaway":{"reason":"Shutdown","last-stream":"this","twice":false,"close":true}}"#,
                .goAway(GoAwayFault())
            ),
            (
                #"{"goaway":{"reason":"BadCertificate","last-stream":"all","twice":true,"close":"now","code":7}}"#,
                .goAway(
                    GoAwayFault(
                        reason: Reason("BadCertificate", Reason.shutdown.status), lastStream: .all, isTwice: true,
                        closing: .now, code: 7))
            ),
            (#"{"disconnect":true}"#, .disconnect(.before)),
            (#"{"disconnect":{"after":true,"reset":true}}"#, .disconnect(.after, isReset: true)),
            (#"{"half-open":"after"}"#, .halfOpen(.after)),
            (#"{"max-concurrent-streams":1}"#, .maximumConcurrentStreams(1)),
            (#"{"window":0}"#, .window(WindowFault(bytes: 0))),
            (#"{"window":{"bytes":16,"for":"5000ms"}}"#, .window(WindowFault(bytes: 16, time: .fixed(5000)))),
            (#"{"lose":true}"#, .lose), (#"{"duplicate":2}"#, .duplicate(2)), (#"{"offline":true}"#, .offline(nil)),
            (#"{"offline":"600000ms"}"#, .offline(.fixed(600_000))),
            (#"{"uninstall":"never"}"#, .uninstall(noticedAfter: .never)),
            (#"{"slow-body":{"uniform":["1ms","9ms"]}}"#, .slowBody(.uniform(1...9))),
            (#"{"slow-accept":"2000ms"}"#, .slowAccept(.fixed(2000))),
        ] as [(String, FaultEffect)])
    func `an effect is read, and written as it was read`(text: String, effect: FaultEffect) throws {
        #expect(try FaultEffect(ControlBody(Array(text.utf8), keys: FaultEffect.keys)) == effect)
        #expect(effect.json.text == text)
    }

    @Test func `an effect has exactly one key`() throws {
        for text in ["{}", #"{"lose":true,"duplicate":2}"#] {
            let body = try ControlBody(Array(text.utf8), keys: FaultEffect.keys)
            let problem = #expect(throws: Problem.self) { try FaultEffect(body) }
            #expect(problem?.detail.hasSuffix(FaultEffect.keys.joined(separator: ", ")) == true)
        }
    }
}
