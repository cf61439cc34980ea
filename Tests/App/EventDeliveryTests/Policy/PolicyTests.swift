import Foundation
import Testing

@testable import EventDelivery

struct PolicyTests {
    @Test func `the wait doubles up to its maximum, and jitter is added`() {
        let backOff = BackOff()
        let waits = (1...8).map { backOff.wait(afterFailures: $0, random: 0) }
        #expect(waits == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
        #expect(backOff.wait(afterFailures: 1, random: .max) == 600)
        #expect(backOff.wait(afterFailures: 7, random: .max) == 36_000)
        #expect(backOff.wait(afterFailures: .max, random: 1 << 63) == 33_000)
    }

    @Test func `nonsense in a back-off is bounded`() {
        var backOff = BackOff()
        backOff.baseMilliseconds = .min
        backOff.maximumMilliseconds = .max
        backOff.jitter = .infinity
        #expect(backOff.wait(afterFailures: 0, random: .max) == 1)
        #expect(backOff.wait(afterFailures: .max, random: .max) == 1 << 40)
        backOff.jitter = -3
        #expect(backOff.wait(afterFailures: 2, random: .max) == 2)
    }

    @Test func `the first range with a status counts`() {
        let rules = AnswerRules([(503...503, .retryAtOnce()), (500...599, .refusedWhole)], otherwise: .delivered)
        #expect(rules.meaning(of: 503) == .retryAtOnce(times: 1))
        #expect(rules.meaning(of: 500) == .refusedWhole)
        #expect(rules.meaning(of: 404) == .delivered)
        #expect(AnswerRules().meaning(of: 400) == .refused)
        #expect(AnswerRules().meaning(of: 401) == .renewCredentials)
        #expect(AnswerRules().meaning(of: 429) == .retryLater())
        #expect(AnswerRules().meaning(of: 299) == .delivered)
    }
}

struct BatchFormTests {
    private func text(_ form: BatchForm, _ events: [CapturedEvent]) -> String {
        String(decoding: form.encode(events), as: UTF8.self)
    }

    @Test func `an empty list travels in a form as the service documents it`() {
        #expect(text(.form(), []) == "event=eyJldmVudHMiOltdfQ%3D%3D")
    }

    @Test func `no character of Base64 is left that a form would change`() {
        // Its Base64 text has "+", "/" and "=".
        let event = CapturedEvent(
            EventStamp(id: .test(1), time: EventTime(milliseconds: 0)), kind: "k", to: "a",
            body: Array("\"ÿ>?ûï¾~\"".utf8))
        let body = text(.form(), [event])
        #expect(!body.dropFirst(6).contains { "+/=".contains($0) })
        let base64 = body.dropFirst(6).replacingOccurrences(of: "%2B", with: "+")
            .replacingOccurrences(of: "%2F", with: "/").replacingOccurrences(of: "%3D", with: "=")
        #expect(Data(base64Encoded: base64) == Data(BatchForm.json(key: "events").encode([event])))
    }

    @Test func `no event of a group moves past one that holds the order`() {
        let events = [
            CapturedEvent.test(1, group: "p"), .test(2, group: "q"), .test(3, holdsOrder: true, group: "q"),
            .test(4, group: "p"), .test(5, group: "q"), .test(6, group: "p"),
        ]
        #expect(
            text(.groups(), events)
                == #"[{"profile":{"id":"p"},"events":[{"n":1}]},{"profile":{"id":"q"},"events":[{"n":2},{"n":3},{"n":5}]},"#
                + #"{"profile":{"id":"p"},"events":[{"n":4},{"n":6}]}]"#)
    }

    @Test func `forms of JSON`() {
        let events = [CapturedEvent.test(1, group: "p"), .test(2, group: "q\""), .test(3, group: "p"), .test(4)]
        #expect(text(.json(key: "events"), events) == #"{"events":[{"n":1},{"n":2},{"n":3},{"n":4}]}"#)
        #expect(
            text(.json(key: "events", members: #""options":{"features":["location"]}"#), [.test(1)])
                == #"{"events":[{"n":1}],"options":{"features":["location"]}}"#)
        #expect(text(.jsonArray, events) == #"[{"n":1},{"n":2},{"n":3},{"n":4}]"#)
        #expect(text(.lines, [.test(1), .test(2)]) == "{\"n\":1}\n{\"n\":2}\n")
        #expect(
            text(.groups(), events)
                == #"[{"profile":{"id":"p"},"events":[{"n":1},{"n":3}]},{"profile":{"id":"q\""},"events":[{"n":2}]},"#
                + #"{"profile":{"id":""},"events":[{"n":4}]}]"#)
    }
}
