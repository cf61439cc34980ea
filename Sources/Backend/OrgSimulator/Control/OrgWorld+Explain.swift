import PushDispatch
import ServiceHost

extension OrgWorld {
    /// `?record=001…&change=7`: what followed from a change; without a number from the newest one.
    func explain(_ request: ServiceRequest) throws(ControlProblem) -> Outcome {
        let record = try request.parameter("record").map { text throws(ControlProblem) in try id(text) }
        var number: Int?
        if let text = request.parameter("change") {
            guard let given = Int(text), given > 0 else { throw .bad("change is not a whole number from 1") }
            number = given
        }
        let explanation = try OrgExplanation(org, record: record, number: number)
        var outcome = json(explanation.json([:]))
        outcome.explanation = explanation
        return outcome
    }
}
