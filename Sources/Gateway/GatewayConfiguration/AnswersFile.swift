import APNSModel
package import GatewayCore
import GatewayJSON
import PayloadJSON

/// A record of `--record` whose answers a gateway gives again.
package enum AnswersFile {
    /// The largest file, in bytes.
    package static let maximumBytes = 256 << 20

    /// Lines about channels, and about requests that were never judged, are left out.
    ///
    /// - Parameter name: How messages name the file.
    package static func answers(in bytes: [UInt8], name: String) throws(GatewayError) -> RecordedAnswers {
        var answers = RecordedAnswers()
        var reader = JSONReader()
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let recorded: RecordedLine
            do throws(RecordedLine.Fault) {
                recorded = try RecordedLine(Array(line), with: &reader)
            } catch {
                throw GatewayError(
                    .badConfiguration,
                    "\(name):\(number + 1): the line is not of a record: \(error.description); name a file that --record "
                        + "has written")
            }
            guard recorded.kind == .notification, let token = recorded.token, let outcome = recorded.verdict.answer
            else { continue }
            let key = RecordedAnswers.Key(token: token, topic: recorded.topic, pushType: recorded.pushType)
            guard answers.add(outcome, for: key) else {
                throw GatewayError(
                    .badConfiguration,
                    "\(name) has more than \(RecordedAnswers.maximum) answers, the limit of a gateway; use a part of it"
                )
            }
        }
        return answers
    }
}

extension RecordedLine.Verdict {
    /// Nil for a request that got no answer.
    fileprivate var answer: Verdict.Outcome? {
        switch outcome {
        case NotificationQuery.Outcome.accepted.rawValue: .accepted
        case NotificationQuery.Outcome.refused.rawValue:
            reason.map { .refused(Reason($0, status ?? 400), timestamp: timestamp) }
        default: nil
        }
    }
}
