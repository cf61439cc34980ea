import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    func faults() -> ControlAnswer {
        let faults = state.read { world, real in world.activeFaults(real: real) }
        return .ok(.object { $0.add("faults", .array(faults.map(\.json))) })
    }

    func fault(_ id: String) throws(Problem) -> ControlAnswer {
        let faults = state.read { world, real in world.activeFaults(real: real) }
        guard let fault = faults.first(where: { $0.id == id }) else { throw .noFault(id) }
        return .ok(fault.json)
    }

    func addFault(_ request: ControlRequest) throws -> ControlAnswer {
        let body = try ControlBody(request.body, keys: FaultRule.keys)
        let rule = try FaultRule(body)
        guard rule.isFor(state.name) else { throw Problem.otherWorld(rule.match.world ?? state.name, than: state.name) }
        let fault = try state.add(rule)
        return .created(fault.json, at: base + "/api/faults/\(fault.id)")
    }

    func removeFault(_ id: String) throws(Problem) -> ControlAnswer {
        guard state.removeFault(id) else { throw .noFault(id) }
        return .noContent
    }

    func removeFaults() -> ControlAnswer {
        state.removeFaults()
        return .noContent
    }
}
