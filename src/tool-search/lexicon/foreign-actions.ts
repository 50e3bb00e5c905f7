/**
 * Actions in other languages. Columns: English | Chinese | Japanese | Korean | German | Spanish | French | Portuguese |
 * Russian. `/` separates English alternatives, spaces separate forms, `_` stands for a space inside a form.
 */
export const foreignActions = `
create/make/new/add|创建 新建 建立 制作 生成 造|作成 作る 作って 新規 生成|생성 만들 작성|erstellen anlegen erzeugen neu neue neuen neuer neues machen|crear crea creación nueva nuevo hacer|créer création nouveau nouvelle faire|criar criação novo nova fazer|создать создай создание новый новая новую новое сделать
generate/create|生成 产生|生成|생성|generieren erzeugen|generar genera|générer génère|gerar gera|сгенерировать генерация
add/insert|添加 增加 加入 新增 插入|追加 加える 挿入|추가 삽입|hinzufügen zufügen einfügen ergänzen|añadir agregar insertar|ajouter insérer|adicionar inserir|добавить вставить
delete/remove|删除 移除 删掉 去掉|削除 消す 消去 除去|삭제 제거 지우|löschen entfernen|eliminar borrar quitar suprimir|supprimer effacer enlever retirer|excluir apagar remover deletar eliminar|удалить удали удаление стереть
cancel|取消|取消 キャンセル|취소|abbrechen stornieren absagen|cancelar|annuler|cancelar|отменить отмена
update/modify/edit/change|更新 修改 编辑 更改 改变|更新 変更 編集 修正|수정 변경 편집 갱신 업데이트|aktualisieren ändern bearbeiten anpassen|actualizar modificar editar cambiar|mettre_à_jour modifier éditer changer actualiser|atualizar modificar editar alterar mudar|обновить изменить редактировать поменять
rename|重命名 改名|名前変更 改名 リネーム|이름변경|umbenennen|renombrar|renommer|renomear|переименовать
move|移动 搬移|移動|이동 옮기|verschieben bewegen|mover|déplacer|mover|переместить двигать
copy|复制 拷贝|コピー 複製|복사|kopieren|copiar|copier|copiar|копировать скопировать
set/configure|设置 配置 设定|設定|설정 구성|setzen einstellen konfigurieren festlegen|configurar establecer ajustar|configurer définir régler|configurar definir ajustar|настроить установить задать
get/retrieve/fetch|获取 取得 得到 拿到 提取 获得|取得 得る 入手|가져오 조회 얻|abrufen holen abfragen erhalten bekommen|obtener conseguir recuperar|obtenir récupérer|obter buscar recuperar|получить получи
query/search/get|查询 查|照会 問い合わせ 調べ|조회 문의|abfragen anfragen abfrage|consultar consulta|interroger requête consulter|consultar consulta|запрос запросить
list/show|列出 列表 清单 罗列|一覧 リスト 列挙|목록 나열 리스트|auflisten liste auflistung|listar lista enumerar|lister liste énumérer|listar lista|список перечислить
show/display/view|显示 展示 查看 看看 浏览|表示 見る 見せて 閲覧|보여 표시 보기|anzeigen zeigen zeige ansehen|mostrar muestra ver visualizar|afficher montrer voir|mostrar exibir ver|показать покажи посмотреть
search/find|搜索 查找 搜寻 寻找 检索 找 搜|検索 探す 探し 見つけ 調べる|검색 찾|suchen suche finden finde|buscar busca búsqueda encontrar|chercher recherche rechercher trouver|pesquisar pesquisa procurar buscar busca encontrar|найти найди поиск искать
filter/select|筛选 过滤 选择|絞り込み フィルタ 選択 選ぶ|필터 선택|filtern auswählen wählen|filtrar seleccionar elegir|filtrer sélectionner choisir|filtrar selecionar escolher|фильтр выбрать отфильтровать
recommend/suggest|推荐 建议|おすすめ 推薦 提案|추천 제안|empfehlen vorschlagen empfehlung|recomendar sugerir recomendación|recommander suggérer recommandation|recomendar sugerir|рекомендовать посоветовать предложить
open|打开 开启|開く 開いて|열기 열어|öffnen öffne|abrir abre|ouvrir ouvre|abrir|открыть открой
close|关闭|閉じる 閉じて|닫기 닫아|schließen|cerrar|fermer|fechar|закрыть
start/run/launch|启动 开始 运行|開始 起動 始める|시작 실행|starten starte beginnen|iniciar empezar comenzar arrancar|démarrer lancer commencer|iniciar começar|начать запустить запуск старт
run/execute|执行 运行|実行|실행|ausführen laufen|ejecutar correr|exécuter|executar rodar|выполнить исполнить запустить
stop|停止 终止|停止 止める|중지 정지 멈춰|stoppen anhalten beenden|detener parar|arrêter|parar interromper|остановить стоп
restart|重启|再起動|재시작|neustarten|reiniciar|redémarrer|reiniciar|перезапустить
enable|启用|有効|활성화|aktivieren|activar habilitar|activer|ativar habilitar|включить
disable|禁用 停用|無効|비활성화|deaktivieren|desactivar|désactiver|desativar|отключить выключить
install|安装|インストール|설치|installieren|instalar|installer|instalar|установить
deploy|部署|デプロイ 展開|배포|bereitstellen|desplegar implementar|déployer|implantar|развернуть
check/verify/validate|检查 验证 校验 核对 检测|確認 検証 チェック|확인 검증 점검|prüfen überprüfen kontrollieren verifizieren|comprobar verificar revisar validar|vérifier contrôler valider|verificar checar validar conferir|проверить проверка
test|测试|テスト|테스트|testen|probar prueba|tester|testar teste|тест тестировать
analyze|分析|分析 解析|분석|analysieren auswerten analyse|analizar análisis|analyser analyse|analisar análise|анализ проанализировать
compare|比较 对比|比較 比べる|비교|vergleichen vergleich|comparar comparación|comparer comparaison|comparar comparação|сравнить сравнение
calculate/compute|计算|計算|계산|berechnen rechnen ausrechnen|calcular cálculo|calculer calcul|calcular cálculo|вычислить рассчитать посчитать
predict/forecast|预测|予測|예측|vorhersagen prognose|predecir pronosticar|prédire prévoir|prever|предсказать прогнозировать
convert|转换 换算 转成 转为|変換|변환|umwandeln konvertieren umrechnen|convertir conversión|convertir conversion|converter conversão|конвертировать преобразовать перевести
translate|翻译|翻訳|번역|übersetzen übersetzung|traducir traducción|traduire traduction|traduzir tradução|перевести перевод
send|发送 发 寄|送る 送信 送って|보내 전송 발송|senden schicken versenden|enviar manda mandar|envoyer|enviar mandar|отправить послать
publish/post|发布 发表|公開 投稿|게시 발행|veröffentlichen posten|publicar|publier|publicar postar|опубликовать
share|分享 共享|共有|공유|teilen freigeben|compartir|partager|compartilhar|поделиться
upload|上传|アップロード|업로드|hochladen|subir cargar|téléverser|enviar carregar|загрузить
download|下载|ダウンロード|다운로드|herunterladen runterladen|descargar descarga|télécharger|baixar|скачать
save|保存 储存|保存|저장|speichern sichern|guardar|enregistrer sauvegarder|salvar guardar|сохранить
export|导出|エクスポート 書き出|내보내기|exportieren|exportar|exporter|exportar|экспорт экспортировать
import|导入|インポート 取り込|가져오기|importieren|importar|importer|importar|импорт импортировать
read|读取 阅读 读|読む 読み取 読み込|읽기 읽어|lesen auslesen|leer|lire|ler|прочитать читать чтение
write|写入 写 撰写|書く 書き込|쓰기 작성|schreiben verfassen|escribir redactar|écrire rédiger|escrever|написать записать
print|打印|印刷|인쇄|drucken|imprimir|imprimer|imprimir|печать
record|记录 录制|記録 録音 録画|기록 녹음|aufnehmen aufzeichnen|grabar registrar|enregistrer|gravar registrar|записать
monitor/track|监控 跟踪 追踪|監視 追跡|모니터링 추적|überwachen verfolgen|monitorear supervisar rastrear seguir|surveiller suivre|monitorar acompanhar rastrear|отслеживать мониторинг
book/reserve|预订 预定 预约|予約|예약|buchen reservieren|reservar reserva|réserver réservation|reservar|забронировать бронирование
schedule/plan|安排 计划 规划|計画 予定|계획 일정|planen terminieren planung|planificar programar planear|planifier planification|planejar agendar|запланировать планировать план
buy/purchase/order|购买 买 订购|購入 買う 注文|구매 주문|kaufen bestellen|comprar pedir|acheter commander|comprar pedir|купить заказать
pay|支付 付款|支払 払う|결제 지불|bezahlen zahlen|pagar|payer|pagar|оплатить платить
sell|卖 出售|売る 販売|판매|verkaufen|vender|vendre|vender|продать
rent|租 租赁|借りる レンタル 賃貸|임대 렌트|mieten|alquilar|louer|alugar|арендовать аренда
play|播放 玩|再生 遊ぶ プレイ|재생 놀이|spielen abspielen|reproducir jugar tocar|jouer lire|tocar reproduzir jogar|играть воспроизвести
listen|听|聴く 聞く|듣기|hören anhören|escuchar|écouter|ouvir escutar|слушать
watch|观看|観る|시청|ansehen schauen|ver|regarder|assistir|смотреть
draw|画 绘制 绘画|描く 描画|그리기 그려|zeichnen malen|dibujar|dessiner|desenhar|нарисовать рисовать
merge/combine|合并 合成 组合|結合 統合 マージ 合併|병합 결합|zusammenfügen zusammenführen kombinieren verbinden|combinar unir fusionar juntar|fusionner combiner|combinar unir juntar mesclar|объединить слить
split|拆分 分割 分离|分割 分ける|분할|teilen aufteilen trennen|dividir separar|diviser séparer|dividir separar|разделить
extract|提取 抽取 解压|抽出|추출|extrahieren entnehmen|extraer|extraire|extrair|извлечь
compress|压缩|圧縮|압축|komprimieren packen|comprimir|compresser|comprimir compactar|сжать
encrypt|加密|暗号化|암호화|verschlüsseln|cifrar encriptar|chiffrer|criptografar|зашифровать
decrypt|解密|復号|복호화|entschlüsseln|descifrar|déchiffrer|descriptografar|расшифровать
protect|保护|保護|보호|schützen|proteger|protéger|proteger|защитить
sort|排序|並べ替え ソート|정렬|sortieren|ordenar|trier|ordenar classificar|сортировать
classify|分类|分類|분류|klassifizieren|clasificar|classer classifier|classificar|классифицировать
detect/identify/recognize|识别 检测 辨认|識別 検出 認識|인식 감지 식별|erkennen identifizieren|detectar identificar reconocer|détecter identifier reconnaître|detectar identificar reconhecer|распознать определить обнаружить
crawl/scrape|抓取 爬取|スクレイピング 収集|크롤링 수집|auslesen|raspar extraer|extraire|raspar|парсить
navigate/visit/browse|访问 导航 浏览|訪問 移動 アクセス|방문 접속|besuchen navigieren|navegar visitar|naviguer visiter|navegar visitar acessar|посетить перейти
click|点击|クリック|클릭|klicken|clic pulsar|cliquer|clicar|нажать кликнуть
type/input/fill|输入 填写|入力 記入|입력|eingeben ausfüllen|rellenar introducir escribir|saisir remplir|preencher digitar|ввести заполнить
improve/optimize|优化 改进 改善|改善 最適化|개선 최적화|verbessern optimieren|mejorar optimizar|améliorer optimiser|melhorar otimizar|улучшить оптимизировать
explain/describe|解释 说明 描述|説明 解説|설명|erklären beschreiben|explicar describir|expliquer décrire|explicar descrever|объяснить описать
summarize/summary|总结 摘要 概括|要約 まとめ|요약|zusammenfassen zusammenfassung|resumir resumen|résumer résumé|resumir resumo|резюмировать кратко сводка
correct/fix|修复 纠正 改正|修正 直す 修復|수정 고치|korrigieren beheben reparieren|corregir arreglar|corriger réparer|corrigir consertar|исправить починить
solve|解决 求解|解決 解く|해결 풀|lösen|resolver|résoudre|resolver|решить
answer/reply|回答 回复 答复|回答 返信 答え|답변 회신|antworten beantworten|responder respuesta|répondre réponse|responder resposta|ответить ответ
ask/question|提问 询问 问题|質問 尋ねる|질문|fragen frage|preguntar pregunta|demander question|perguntar pergunta|спросить вопрос
learn/study|学习|学習 勉強 学ぶ|학습 공부 배우|lernen studieren|aprender estudiar|apprendre étudier|aprender estudar|учить изучать учиться
remember/recall|记住 回忆|覚える 思い出|기억|merken erinnern|recordar|mémoriser|lembrar|запомнить вспомнить
remind/reminder|提醒|リマインド 通知|알림|erinnern erinnerung|recordatorio recordar|rappeler rappel|lembrete lembrar|напомнить напоминание
call|调用 呼叫|呼び出|호출|aufrufen anrufen|llamar|appeler|chamar ligar|вызвать позвонить
connect|连接|接続 繋ぐ|연결|verbinden|conectar|connecter|conectar|подключить соединить
login/sign|登录|ログイン|로그인|anmelden einloggen|iniciar_sesión|connexion|entrar|войти вход
register/sign|注册|登録|등록 가입|registrieren|registrar|inscrire enregistrer|registrar cadastrar|зарегистрировать
subscribe|订阅|購読|구독|abonnieren|suscribir|abonner|assinar inscrever|подписаться
backup|备份|バックアップ|백업|sichern|respaldar copia_de_seguridad|sauvegarder|backup|резервная
restore|恢复 还原|復元|복원 복구|wiederherstellen|restaurar|restaurer|restaurar|восстановить
sync|同步|同期|동기화|synchronisieren|sincronizar|synchroniser|sincronizar|синхронизировать
refresh|刷新|更新|새로고침|aktualisieren|refrescar|rafraîchir|atualizar|обновить
submit/commit|提交|提出 コミット|제출 커밋|einreichen committen|enviar confirmar|soumettre valider|enviar confirmar|отправить коммит
count|统计 数量 计数|数える 件数|개수|zählen anzahl|contar|compter|contar|подсчитать количество
resize/scale|调整大小 缩放|リサイズ 拡大 縮小|크기조정|skalieren|redimensionar|redimensionner|redimensionar|изменить_размер
crop/cut|裁剪 剪切|切り取り トリミング|자르기|zuschneiden schneiden|recortar cortar|recadrer couper|recortar cortar|обрезать
capture/screenshot|截图 截屏 捕获|キャプチャ|캡처|aufnehmen|capturar captura|capturer capture|capturar captura|снимок скриншот
visualize/chart|可视化|可視化|시각화|visualisieren darstellen|visualizar|visualiser|visualizar|визуализировать
invite|邀请|招待|초대|einladen|invitar|inviter|convidar|пригласить
approve|批准 同意|承認|승인|genehmigen|aprobar|approuver|aprovar|одобрить
reject|拒绝|拒否|거절|ablehnen|rechazar|rejeter|rejeitar|отклонить
replace|替换|置換 置き換|교체 바꾸|ersetzen|reemplazar sustituir|remplacer|substituir|заменить
assign|分配 指派|割り当て|할당|zuweisen|asignar|attribuer assigner|atribuir|назначить
cook|烹饪 做饭|料理 調理|요리|kochen|cocinar|cuisiner|cozinhar|готовить
travel|旅行 旅游 出行|旅行|여행|reisen reise|viajar viaje|voyager voyage|viajar viagem|путешествие поездка
invest|投资|投資|투자|investieren anlegen|invertir inversión|investir investissement|investir investimento|инвестировать инвестиции
`
