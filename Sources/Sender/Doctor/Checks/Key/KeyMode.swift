extension DoctorCheck {
    static let keyMode = DoctorCheck(
        id: "key-mode", layer: .key,
        summary: "Only its owner can read the file of the key, or the group through which doctor reads it.",
        cause: "The file was copied with the usual mode 0644, or a secret is mounted without a mode.",
        next: "chmod 600 the file; in Kubernetes set defaultMode: 0400 on the volume of the secret, or 0440 "
            + "where the pod has an fsGroup",
        subject: { evidence in
            evidence.key.flatMap { $0.file.seen(or: "there is no file whose mode could be looked at") }
        }
    ) { file in
        guard let others = file.others else { return .pass("it has mode \(file.modeText)") }
        return .warn(
            "it has mode \(file.modeText): \(others) can use it, and whoever has it can push to every topic of the key")
    }
}
