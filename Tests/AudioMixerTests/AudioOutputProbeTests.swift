#if VLC || GStreamer
import Playback
import Testing

@testable import AudioMixer

@Suite struct AudioOutputProbeTests {
    @Test(arguments: [
        ("tcp:host", AudioOutputProbe.Device.pulse), ("{id}tcp:host", .pulse), ("unix:/no/socket tcp:host", .pulse),
        ("unix:/no/socket", .none), ("/no/socket", .none), ("{id}unix:/no/socket", .none),
    ])
    func theAddressOfAnAudioServerIsParsed(server: String, device: AudioOutputProbe.Device) {
        let probe = AudioOutputProbe(.pulse, environment: ["PULSE_SERVER": server], audioDevices: "/no/devices")
        #expect(probe.device == device)
        #expect((probe.notice == nil) == (device == .pulse))
    }

    @Test func noOutputNeedsNoNotice() {
        let probe = AudioOutputProbe(.none, environment: [:], audioDevices: "/no/devices")
        #expect(probe.device == .none)
        #expect(probe.notice == nil)
    }

    @Test func aMissingDeviceIsReportedWithItsReason() {
        let environment = ["PULSE_SERVER": "unix:/no/socket"]
        for (output, reason) in [(AudioOutput.auto, "no audio device"), (.pulse, "PulseAudio"), (.alsa, "ALSA")] {
            let probe = AudioOutputProbe(output, environment: environment, audioDevices: "/no/devices")
            #expect(probe.notice?.message.contains(reason) == true)
        }
    }
}
#endif
